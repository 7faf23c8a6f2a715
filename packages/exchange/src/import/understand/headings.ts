import { folded } from '@openfountain/core/letters'
import dictionary from './headings.json' with { type: 'json' }
import type words from './headings.json'

/**
 * Headings by their meaning, folded (lower case, without accents), in English, German, French, Italian, Spanish,
 * Catalan, Portuguese, Dutch, Swedish, Danish, Norwegian, Finnish, Polish and Czech, and OpenStreetMap's keys. The
 * first heading of a role that a file has is preferred.
 */
const headings: Readonly<Record<keyof typeof words, readonly string[]>> = dictionary

/** The meaning of a column for a fountain. */
export type Role = keyof typeof words
export const roles = Object.keys(headings) as readonly Role[]

/** Headings of people and their accounts, of contact and of editing history: never read, whatever their values. */
const people =
  /\b(?:user|username|user name|userid|uid|author|autor|auteur|autore|editor|created by|creator|modified by|updated by|last edited by|added by|contributor|mapper|surveyor|surveyed by|enumerator|interviewer|respondent|contact|contact person|ansprechpartner|kontakt|person|first name|last name|vorname|nachname|firstname|lastname|email|e mail|mail|phone|telephone|telefon|tel|mobile|fax|changeset|artist name|artist|architect|submitted by|collected by|monitored by|reporter|owner|owner name|eigentumer|proprietaire|proprietario|committee|treasurer|chairperson)\b/u

const roleOf = new Map<string, Role>()
/** Within a role, the place in the dictionary: smaller is the more usual heading. */
export const preference = new Map<string, number>()
for (const role of roles)
  for (const [place, heading] of headings[role].entries()) {
    if (!roleOf.has(heading)) roleOf.set(heading, role)
    preference.set(heading, place)
  }

/** dBase, and so every shapefile, cuts headings at ten characters. */
const cut = new Map<string, string>()
for (const heading of roleOf.keys()) {
  const short = heading.replaceAll(' ', '_').slice(0, 10)
  if (heading.length > 10 && !roleOf.has(folded(short))) cut.set(folded(short), heading)
}

/** The meaning of a heading, or undefined when the dictionary does not know it. */
export function headingMeaning(heading: string): { readonly role: Role; readonly entry: string } | undefined {
  const plain = folded(heading.replaceAll(/([\p{Ll}\d])(?=\p{Lu}\p{Ll})/gu, '$1 '))
  for (const form of [
    plain,
    folded(heading),
    plain.replace(/^(?:tags|properties|fields|geo|attributes) /u, ''),
    // Tables of coded values have the code in one column and its words in another: `c_stato` and `d_stato`.
    plain.replace(/^(?:d|descr|descrizione|desc|txt) (?!l(?:at|on|ng)\b)(?=\p{L}{3})/u, ''),
  ]) {
    const entry = roleOf.has(form) ? form : heading.length <= 11 ? cut.get(form) : undefined
    const role = entry === undefined ? undefined : roleOf.get(entry)
    if (entry !== undefined && role !== undefined) return { role, entry }
  }
  return undefined
}

/** Whether a heading is about a person, an account or an address. */
export function isPersonal(heading: string): boolean {
  return people.test(folded(heading.replaceAll(/([\p{Ll}\d])(?=\p{Lu})/gu, '$1 ')))
}
