/** The types of OpenStreetMap objects; files of the map use their indexes here. */
const types = ['node', 'way', 'relation'] as const

/** An object of OpenStreetMap as one number, from its reference such as `node/1`; 0 for none. */
export function objectNumber(ref: string | undefined): number {
  const [type, id] = (ref ?? '').split('/')
  const place = types.findIndex((each) => each === type)
  return place === -1 ? 0 : Number(id) * 4 + place + 1
}

/** The reference of a number; undefined for none. */
export function objectOf(number: number): string | undefined {
  const type = types[(number % 4) - 1]
  return type && `${type}/${Math.floor(number / 4)}`
}

/** The page of an object at OpenStreetMap, and the link to edit it. */
export function objectLinks(ref: string): { readonly href: string; readonly edit: string } {
  const site = 'https://www.openstreetmap.org'
  return { href: `${site}/${ref}`, edit: `${site}/edit?${ref.replace('/', '=')}` }
}
