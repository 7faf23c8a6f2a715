/** The content of an element: texts become text nodes, never markup. */
export type Content = Node | string

/** Makes an element with a class and content. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className = '',
  ...content: readonly Content[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name)
  if (className !== '') made.className = className
  made.append(...content)
  return made
}

/** User text, with a direction of its own. */
export const named = (text: string): HTMLElement => element('bdi', '', text)

/** A button, labelled with its key where it has one. */
export function button(
  label: string,
  run: () => void,
  { key, className = 'button button-quiet' }: { readonly key?: string; readonly className?: string } = {},
): HTMLButtonElement {
  const made = element('button', className, label)
  made.type = 'button'
  if (key !== undefined) {
    made.setAttribute('aria-keyshortcuts', key)
    const hint = element('kbd', '', key)
    hint.ariaHidden = 'true'
    made.append(hint)
  }
  made.addEventListener('click', run)
  return made
}

/** A link of the site. */
export function link(href: string, ...content: readonly Content[]): HTMLAnchorElement {
  const made = element('a', '', ...content)
  made.href = href
  return made
}

/** A list of names and values. */
export function factList(rows: readonly (readonly [string, Content])[]): HTMLElement {
  const list = element('dl', 'facts')
  for (const [name, value] of rows)
    list.append(element('div', '', element('dt', '', name), element('dd', '', value)))
  return list
}

const svg = 'http://www.w3.org/2000/svg'

/** Makes an element of a drawing. */
export function drawn(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  ...content: readonly Content[]
): SVGElement {
  const made = document.createElementNS(svg, name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value))
  made.append(...content)
  return made
}
