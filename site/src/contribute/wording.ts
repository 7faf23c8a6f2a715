import { waypointFields, type Field } from '@openfountain/core/fields'
import { limits } from '@openfountain/core/rules'
import type { Refusal } from '../api/request.ts'
import { siteOfPage } from '../api/site.ts'
import { readTexts } from '../client/labels-of.ts'
import { customText } from '../custom-fields.ts'
import { pageNow } from '../live/page.ts'
import { fill, type Format } from '../messages.ts'
import { errorWords } from '../ui/refusal.ts'
import { waysToEarn } from '../earnings.ts'
import type { Page } from '../views/page.ts'
import { valueText as valueOf } from '../views/value.ts'
import { fieldAt, licenseName, memberOf, photosName, placeName, type Fields } from './members.ts'
import type { ContributeWords } from './words.ts'

export interface Wording {
  readonly words: ContributeWords
  readonly page: Page
  readonly format: Format
}

/** The same, in the language that the page has now. @throws Error when the texts cannot be read */
export async function wordingNow(): Promise<Wording> {
  const words = readTexts<ContributeWords>(`contribute/${siteOfPage().tag}`)
  const page = await pageNow()
  return { words: await words, page, format: page.format }
}

export function fieldName({ words, page }: Wording, field: string): string {
  const own = memberOf(field)
  if (own !== undefined) return new Map(page.custom).get(own) ?? own
  const others = { ...words.outbox.fields, position: page.text('waypoint.position') }
  return page.find(`field.${field}`) ?? new Map(Object.entries(others)).get(field) ?? field
}

/** A value of a field, or both numbers of a position, as people read it. */
export function valueText({ words, page }: Wording, field: string, values: Fields): string {
  const { nothing } = words.outbox
  const value = values[field]
  if (field === 'position')
    return Object.values(values)
      .map((degrees) => Number(degrees).toFixed(5))
      .join(', ')
  return memberOf(field) === undefined ? valueOf(page, field, value, nothing) : customText(value) || nothing
}

const fields: Readonly<Record<string, Field>> = waypointFields

/** The error of a field in the reader's language, with the remedy. @param isAnswer whether the server refused it */
export function fieldProblem({ words, format }: Wording, name: string, isAnswer: boolean): string {
  const { problem } = words.contribute
  const field = fields[name]
  if (name === 'amenities') return fill(problem.amenities, { max: format.number(limits.amenities) })
  if (name === 'rating') return problem.rating
  if (name === 'reason' || name === 'kind') return problem.reason
  if (name === placeName) return problem.coordinates
  if (name === photosName) return problem.photo
  if (name === licenseName) return problem.license
  if (name === 'comment') return fill(problem.text, { max: format.number(limits.comment) })
  switch (field?.type) {
    case 'address':
      return problem.address
    case 'season':
      return problem.season
    case 'text':
      // A text within the length limit was refused for its content.
      if (isAnswer) return problem.other
      if (name === 'name') return problem.name
      return fill(problem.text, { max: format.number(field.maxLength ?? limits.waypointName) })
    default:
      return problem.other
  }
}

export const refusedFields = ({ code, fields: named }: Refusal): readonly string[] =>
  code === 'INVALID_COORDINATES'
    ? [placeName]
    : named.map(fieldAt).map((name) => (fields[name]?.type === 'degrees' ? placeName : name))

const subjects: ReadonlySet<string> = new Set(['bubblerId', 'reviewId', 'photoId', 'userId'])

export function refusalText(wording: Wording, error: unknown): string {
  const { words, format } = wording
  const { contribute, outbox, problem } = words
  return errorWords(
    error,
    { problem, format },
    {
      INSUFFICIENT_XP({ details: { required, current } }) {
        const [needed, xp] = [Number(required), Number(current)]
        const missing = { required: format.number(needed), current: format.number(xp) }
        return `${fill(contribute.xpMissing, missing)} ${waysToEarn(words.earnings, format, xp)}`
      },
      INVALID_INPUT({ fields: wrong }) {
        // It was deleted since the page was loaded.
        if (wrong.some((field) => subjects.has(field))) return problem.gone
        const names = new Set(wrong.map((path) => fieldName(wording, fieldAt(path))))
        return names.size > 0 ? fill(outbox.problem.fields, { fields: [...names].join(', ') }) : undefined
      },
      DUPLICATE: outbox.problem.duplicate,
      NOT_FOUND: contribute.problem.gone,
      // Without a time to wait, the server has no place for photos.
      UNAVAILABLE: ({ retryAfterSeconds }) =>
        retryAfterSeconds === undefined ? outbox.problem.other : undefined,
      STORAGE_FULL: outbox.problem.full,
      NOTHING_CHANGED: contribute.nothingChanged,
      INVALID_COORDINATES: contribute.problem.coordinates,
      other: outbox.problem.other,
    },
  )
}
