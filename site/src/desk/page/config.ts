import { limits } from '@openfountain/core/rules'
import { siteOfPage } from '../../api/site.ts'
import { elementBy } from '../../client/element-by.ts'
import { fill, formatFor } from '../../messages.ts'
import type { Nameable } from '../../naming.ts'
import { flattened } from '../../texts.ts'
import { errorWords, fieldWords, type OwnTexts } from '../../ui/refusal.ts'
import { Page } from '../../views/page.ts'
import { valueText as valueOf } from '../../views/value.ts'
import type { DeskConfig } from '../config.ts'

export const config: DeskConfig = JSON.parse(elementBy('#desk-config').textContent)
export const { words, pages } = config
export const { desk } = words
export const format = formatFor(config.tag)

const { base } = siteOfPage()
const { texts, counts } = flattened(words)

export const page = new Page({
  strings: texts,
  counts,
  format,
  base,
  prefix: pages.home.slice(base.length),
  icons: config.icons,
  custom: [],
  isSwitched: false,
  hasRegions: true,
  hasForms: true,
  isBuilt: false,
})

export const withName = (text: string, name: string, more: Readonly<Record<string, string>> = {}): string =>
  fill(text, { ...more, name: format.isolate(name) })

/** A label with its object, joined as the language does. */
export const labelled = (label: string, text: string): string => fill(words.labelled, { label, text })

export const entryName = (id: number): string => fill(desk.entry, { id: format.number(id) })

/** A distance in words: to the metre where it decides about duplicates. */
export const distanceWords = (metres: number): string => page.nearDistance(metres)

/** The title of a fountain in the reader's language: its own name, else its kind and place. */
export const fountainName = (fountain: Pick<Nameable, 'name'> & Partial<Nameable>): string =>
  page.title({ amenities: [], ...fountain })

export const personName = (one: { readonly id: string; readonly name?: string | undefined }): string =>
  one.name ?? (one.id === 'api' ? words.contributors.system : words.contributors.former)

export const fieldName = (field: string): string => page.find(`field.${field}`) ?? field

export const valueText = (field: string, value: unknown): string => valueOf(page, field, value, desk.none)

const { problem } = desk

const ofRefusals: OwnTexts = {
  UNAUTHORIZED: problem.signedOut,
  FORBIDDEN: ({ details: { isModerator, reason } }) =>
    isModerator === true ? problem.moderator : typeof reason === 'string' ? undefined : problem.notAllowed,
  // A user who is no longer a moderator.
  INSUFFICIENT_XP: problem.notAllowed,
  NOT_FOUND: problem.gone,
  CONFLICT({ details: { fields, state } }) {
    if (state !== undefined) return problem.decided
    const names = Array.isArray(fields) ? fields.map(String) : []
    if (names.length === 0 || names.includes('deletedAt')) return problem.conflictPlain
    return fill(problem.conflict, { fields: names.map(fieldName).join(', ') })
  },
  PRECONDITION_FAILED: problem.changed,
  INVALID_INPUT: fieldWords({
    reason: fill(problem.reason, { max: format.number(limits.description) }),
    since: problem.since,
    until: problem.until,
    into: problem.other,
    from: problem.other,
  }),
}

/** The text of an error in the reader's language, with the remedy. */
export const wordingOf = (error: unknown): string =>
  errorWords(error, { problem: words.account.problem, format }, ofRefusals)
