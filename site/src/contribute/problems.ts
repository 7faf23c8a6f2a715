import { limits } from '@openfountain/core/rules'
import { waypointFields, type Field } from '@openfountain/core/fields'
import { Refusal } from '../api/request.ts'
import { fill } from '../messages.ts'
import { fieldWords, refusalWords } from '../ui/refusal.ts'
import { fieldAt, placeName } from './members.ts'
import type { Setting } from './setting.ts'

const fields: Readonly<Record<string, Field>> = waypointFields

/**
 * The error of a field in the reader's language, with the remedy.
 *
 * @param isAnswer whether the server refused it
 */
export function fieldProblem({ words, format }: Setting, name: string, isAnswer: boolean): string {
  const { problem } = words.contribute
  const field = fields[name]
  if (name === 'amenities') return fill(problem.amenities, { max: format.number(limits.amenities) })
  if (name === 'rating') return problem.rating
  if (name === 'reason' || name === 'kind') return problem.reason
  if (name === placeName) return problem.coordinates
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

/** The text of an error of the whole form, in the reader's language. */
export function refusalText({ words, format }: Setting, refusal: unknown): string {
  const { contribute, problem } = words
  if (!(refusal instanceof Refusal)) return problem.server
  return refusalWords(
    refusal,
    { problem, format },
    {
      INSUFFICIENT_XP: ({ details: { required, current } }) =>
        fill(contribute.xpMissing, {
          required: format.number(Number(required)),
          current: format.number(Number(current)),
        }),
      // The subject of a report was deleted since the page was loaded.
      INVALID_INPUT: fieldWords({ bubblerId: problem.gone, reviewId: problem.gone, userId: problem.gone }),
      NOT_FOUND: contribute.problem.gone,
      NOTHING_CHANGED: contribute.nothingChanged,
      INVALID_COORDINATES: contribute.problem.coordinates,
    },
  )
}

/** The names of the refused fields in a form. */
export const refusedFields = ({ code, fields: named }: Refusal): readonly string[] =>
  code === 'INVALID_COORDINATES'
    ? [placeName]
    : named.map(fieldAt).map((name) => (fields[name]?.type === 'degrees' ? placeName : name))
