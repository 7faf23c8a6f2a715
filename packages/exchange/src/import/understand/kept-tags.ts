import { limits } from '@openfountain/core/rules'

/**
 * Tags of an object that are not stored. Metadata of the file about the object is no tag; contact addresses and
 * mappers' notes may be personal, and do not describe the fountain; the first author and program are its history.
 */
const notKept: readonly RegExp[] = [
  /^@|^(?:type|id|lat|lon|latitude|longitude|geometry|osm_type|osm_id|timestamp|version|changeset|user|uid|visible)$/u,
  /^(?:contact|phone|mobile|fax|email)(?::|$)/iu,
  /^(?:note|fixme|todo|comment|attention|created_by|odbl|import_uuid|source:pkey)(?::|$)/iu,
]

/** Somebody's name, where the operator or the owner is a private person. */
const ofPerson = /^(?:operator|owner)(?::|$)/u
const privateTypes: ReadonlySet<unknown> = new Set(['private', 'individual'])

/** The tags of an object of OpenStreetMap, unchanged, by their keys; empty where none is stored. */
export function keptTags(fields: Readonly<Record<string, unknown>>): { tags?: Record<string, string> } {
  const isPersons = privateTypes.has(fields['operator:type']) || privateTypes.has(fields['ownership'])
  const kept: [string, string][] = []
  for (const [key, value] of Object.entries(fields)) {
    const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
    if (typeof text !== 'string' || !isTag(key) || !isTag(text)) continue
    if (notKept.some((pattern) => pattern.test(key)) || (isPersons && ofPerson.test(key))) continue
    kept.push([key, text])
  }
  return kept.length === 0 ? {} : { tags: Object.fromEntries(kept.slice(0, limits.tags)) }
}

const isTag = (text: string): boolean => text !== '' && text.length <= limits.tag && text.isWellFormed()
