/** Icons that point in reading direction: mirrored in right-to-left text. */
export const mirroredIcons: ReadonlySet<string> = new Set([
  'back',
  'next',
  'list',
  'listed',
  'changes',
  'unapproved',
  'external',
])

/** Address of the drawings, one symbol each: that of the page's other icons. */
export const drawings = (): string =>
  document.querySelector('svg use')?.getAttribute('href')?.split('#', 1)[0] ?? ''

export const Icon = ({ name }: { readonly name: string }) => (
  <svg class={mirroredIcons.has(name) ? 'icon mirrored' : 'icon'} aria-hidden="true">
    <use href={`${drawings()}#${name}`} />
  </svg>
)
