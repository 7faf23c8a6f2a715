/** A description as JSON-LD has it, of members that Turtle writes as they are. */
export interface Described {
  readonly '@context'?: Readonly<Record<string, string>>
  readonly [member: string]: unknown
}

/** Characters that an address in Turtle must not have. */
const forbidden = /[\0-\u0020<>"{}|^`\\]/gu

/** JSON-LD of one context without lists and languages as Turtle (RDF 1.1); its members without a prefix are of `@vocab`. */
export function turtle({ '@context': context = {}, ...described }: Described): string {
  const { '@vocab': vocabulary = '', ...prefixes } = context
  const named: string[] = []

  const address = (text: string): string =>
    Object.keys(prefixes).some((prefix) => text.startsWith(`${prefix}:`))
      ? text
      : `<${text.replaceAll(forbidden, encodeURIComponent)}>`
  const term = (name: string): string => (name.includes(':') ? address(name) : `<${vocabulary}${name}>`)

  function members({ '@id': _id, '@type': types = [], ...others }: Described): string[] {
    const all = [types].flat().map((type) => term(String(type)))
    return [
      ...(all.length > 0 ? [`a ${all.join(', ')}`] : []),
      ...Object.entries(others).flatMap(([name, value]) => {
        const values = [value].flat().filter((each) => each !== undefined)
        return values.length === 0 ? [] : [`${term(name)} ${values.map(object).join(', ')}`]
      }),
    ]
  }

  function object(value: unknown): string {
    if (typeof value !== 'object' || value === null)
      return typeof value === 'boolean' ? String(value) : JSON.stringify(String(value))
    const node = value as Described
    if ('@value' in node) return `${JSON.stringify(node['@value'])}^^${term(String(node['@type']))}`
    const own = members(node)
    if (typeof node['@id'] !== 'string') return `[ ${own.join(' ; ')} ]`
    const id = address(node['@id'])
    if (own.length > 0) named.push(`${id} ${own.join(' ; ')} .`)
    return id
  }

  const subject = typeof described['@id'] === 'string' ? address(described['@id']) : '[]'
  const own = `${subject} ${members(described).join(' ;\n  ')} .`
  const heads = Object.entries(prefixes).map(([prefix, start]) => `@prefix ${prefix}: <${start}> .`)
  return `${[...heads, '', own, ...new Set(named)].join('\n')}\n`
}
