import { fold } from '@openfountain/core/letters'

/** The slug of the part without a known location. */
const elsewhere = 'elsewhere'

export interface SlugInput {
  readonly kind: string
  readonly name: string
  readonly hasGiven: boolean
  /** The region by which waypoints name a town. */
  readonly given?: string
  slug: string
}

/** Regions that waypoints name keep the slugs that they would have without places. */
export function giveSlugs(regions: readonly SlugInput[]): void {
  const taken = new Set<string>()
  const isNamed = ({ kind, hasGiven, given, name }: SlugInput): boolean =>
    given !== undefined || (kind === 'region' && (hasGiven || name === ''))
  for (const region of regions.filter(isNamed)) region.slug = slugOf(region.given ?? region.name, taken)
  for (const region of regions) if (!isNamed(region)) region.slug = slugOf(region.name, taken)
}

/** A slug for a name: letters of any script stay when they need no escaping, else a number. */
function slugOf(name: string, taken: Set<string>): string {
  const plain = fold(name)
    .replaceAll(/[^a-z0-9]+/gu, '-')
    .replaceAll(/^-+|-+$/gu, '')
    .slice(0, 60)
  const base = name === '' ? elsewhere : plain === '' ? 'region' : plain
  let slug = base
  for (let n = 2; taken.has(slug); n += 1) slug = `${base}-${n}`
  taken.add(slug)
  return slug
}
