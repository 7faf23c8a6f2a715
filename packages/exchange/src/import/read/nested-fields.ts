import { jsonOf } from './json-elements.ts'

/** Members that hold OpenStreetMap's accounts and editing history; they are never read. */
const editing = new Set(['meta', 'user', 'uid', 'changeset', 'relations'])

/** Members whose own members are the record's: OpenStreetMap's tags, and what GDAL keeps of them. */
const spread = new Set(['tags', 'properties', 'other_tags', 'all_tags'])

/**
 * One flat set of fields from a record with objects inside: `{ geo: { lat } }` becomes `geo.lat`, the members of
 * `tags` become fields too, whether it is an object or its text (JSON, a Python dict literal, PostgreSQL's hstore).
 * Empty values are left out.
 */
export function flatFields(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(record)) {
    if (value === null || value === undefined || value === '') continue
    const inner = spread.has(key) ? tagsOf(value) : undefined
    if (inner !== undefined) Object.assign(fields, withoutEmpty(inner), fields)
    else if (isRecord(value) && !isGeometryLike(value)) {
      if (editing.has(key)) continue
      for (const [name, member] of Object.entries(value)) fields[`${key}.${name}`] = member
    } else fields[key] = value
  }
  return fields
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether a value has more levels of lists and objects than that. */
export function isDeep(value: unknown, left: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return left === 0 || Object.values(value).some((member) => isDeep(member, left - 1))
}

/** Tags written as text, or as an object; undefined when the value is neither. */
export function tagsOf(value: unknown): Record<string, unknown> | undefined {
  if (isRecord(value)) return value
  if (typeof value !== 'string') return undefined
  const text = value.trim()
  if (text.startsWith('{') && text.endsWith('}')) {
    const parsed = jsonOf(text)
    return isRecord(parsed) ? parsed : pythonTags(text)
  }
  return /^"(?:[^"\\]|\\.)*"\s*=>/u.test(text) ? hstoreTags(text) : undefined
}

const single = String.raw`'((?:[^'\\]|\\.)*)'`
const double = String.raw`"((?:[^"\\]|\\.)*)"`
const pythonMember = new RegExp(
  String.raw`[\s,]*(?:${single}|${double})\s*:\s*(?:${single}|${double}|([\w.+-]+))`,
  'uy',
)

/** A dict literal with strings as keys and strings, numbers, True, False or None as values. */
function pythonTags(text: string): Record<string, unknown> | undefined {
  const tags: Record<string, unknown> = {}
  let end = 1
  for (;;) {
    pythonMember.lastIndex = end
    const found = pythonMember.exec(text)
    if (found === null) return /^[\s,]*\}/u.test(text.slice(end)) ? tags : undefined
    const [whole, one, other, ...values] = found
    tags[unescaped(one ?? other)] = unescaped(values.find((value) => value !== undefined))
    end += whole.length
  }
}

function hstoreTags(text: string): Record<string, unknown> {
  const tags: Record<string, unknown> = {}
  for (const [, key, value] of text.matchAll(new RegExp(`${double}\\s*=>\\s*${double}`, 'gu')))
    tags[unescaped(key)] = unescaped(value)
  return tags
}

const unescaped = (text = ''): string => text.replaceAll(/\\(.)/gu, '$1')

const withoutEmpty = (record: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null && value !== ''))

const isGeometryLike = (value: Record<string, unknown>): boolean =>
  typeof value['type'] === 'string' && 'coordinates' in value
