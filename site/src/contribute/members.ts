/** Values by name; null and absent both are no value. */
export type Fields = Readonly<Record<string, unknown>>

/** A form's name of latitude and longitude, which are entered as one text. */
export const placeName = 'place'

export const photosName = 'photo'

export const licenseName = 'photoLicense'

const object = 'properties'
const prefix = `${object}.`

/** The members of an object; of any other value none. */
export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? { ...value } : {}

/** The form's name of a custom field, distinct from the registry's own fields. */
export const customName = (member: string): string => prefix + member

/** The declared name of a form's custom field; undefined for any other field. */
export const memberOf = (name: string): string | undefined =>
  name.startsWith(prefix) ? name.slice(prefix.length) : undefined

/** The field of a path: `properties.pressure` itself, `amenities` for `amenities.0`. */
export const fieldAt = (path: string): string => {
  const [first = '', second] = path.split('.')
  return first === object && second !== undefined ? customName(second) : first
}

/** The fields of a fountain with its custom fields flattened, so that users change them one by one. A label is no name. */
export function flat(fountain: unknown): Fields {
  const { [object]: own, ...fields } = fieldsOf(fountain)
  const members = Object.entries(fieldsOf(own)).map(([name, value]) => [customName(name), value])
  const named = fields['nameIsMade'] === true ? { ...fields, name: undefined } : fields
  return { ...named, ...Object.fromEntries(members) }
}

/** The reverse of {@link flat}: a fountain or its changes in the API's shape (JSON Merge Patch, RFC 7396). */
export function nested(fields: Fields): Record<string, unknown> {
  const own: [string, unknown][] = []
  const others: [string, unknown][] = []
  for (const [name, value] of Object.entries(fields)) {
    const member = memberOf(name)
    if (member === undefined) others.push([name, value])
    else own.push([member, value])
  }
  return Object.fromEntries(own.length === 0 ? others : [...others, [object, Object.fromEntries(own)]])
}

/** A fountain with unsent changes applied, later ones over earlier ones; null removes a field. */
export const overlaid = <Fountain extends object>(
  fountain: Fountain,
  ...changes: readonly unknown[]
): Fountain => {
  const { nameIsMade, ...fields } = Object.assign({}, flat(fountain), ...changes.map(flat)) as Fields
  const isNamed = typeof fields['name'] === 'string' || nameIsMade === undefined
  return nested(isNamed ? fields : { ...fields, name: '', nameIsMade }) as Fountain
}

/** Whether two values of a field are the same, whatever the order of a list. */
export const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(sorted(one)) === JSON.stringify(sorted(other))

const sorted = (value: unknown): unknown => (Array.isArray(value) ? value.toSorted() : (value ?? null))

/** The fields that differ from the base, for PATCH: `null` clears one. */
export function changesOf(base: object, values: Fields): Record<string, unknown> {
  const before = flat(base)
  const changed = Object.entries(values).filter(
    ([name, value]) => !isSame(before[name] === '' ? undefined : before[name], value),
  )
  return nested(Object.fromEntries(changed.map(([name, value]) => [name, value ?? null])))
}

/** Whether another maintainer of a fountain was left to the moderators: the answer to an edit has the one before. */
export const isMaintainerAsked = (base: object, changes: object, answer: unknown): boolean =>
  'maintainer' in changes &&
  isSame(fieldsOf(base)['maintainer'], fieldsOf(fieldsOf(answer)['waypoint'])['maintainer'])

export function filledIn(values: Fields): Record<string, unknown> {
  const isEmpty = (value: unknown): boolean =>
    value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
  return nested(Object.fromEntries(Object.entries(values).filter(([, value]) => !isEmpty(value))))
}
