import type { OwnUser } from '@openfountain/core'
import { limits } from '@openfountain/core/rules'
import { waypointFields, type Field } from '@openfountain/core/fields'
import { Refusal } from '../api/request.ts'
import { fill } from '../messages.ts'
import { blockedWords, refusalWords } from '../ui/refusal.ts'
import { fieldAt } from './members.ts'
import type { StoredRefusal } from './outbox/outbox.ts'
import type { Setting } from './setting.ts'

const fields: Readonly<Record<string, Field>> = waypointFields

/** The error of a field in the reader's language, with the remedy. */
export function fieldProblem({ words, format }: Setting, name: string): string {
  const { problem } = words.contribute
  const field = fields[name]
  if (name === 'amenities') return fill(problem.amenities, { max: format.number(limits.amenities) })
  if (name === 'rating') return problem.rating
  if (name === 'comment') return fill(problem.text, { max: format.number(limits.comment) })
  switch (field?.type) {
    case 'degrees':
      return problem.coordinates
    case 'address':
      return problem.address
    case 'season':
      return problem.season
    case 'text':
      return fill(problem.text, { max: format.number(field.maxLength ?? limits.waypointName) })
    default:
      return problem.other
  }
}

/** Why and until when the user is blocked. */
export const blockedText = (
  { words: { problem }, format }: Setting,
  { reason, until }: NonNullable<OwnUser['blocked']>,
): string => blockedWords({ reason, blockedUntil: until }, { problem, format }) ?? problem.forbidden

/** The text of a refusal of the whole form, in the reader's language. */
export function refusalText({ words, format }: Setting, refusal: Refusal): string {
  const { contribute, problem } = words
  return refusalWords(
    refusal,
    { problem, format },
    {
      INSUFFICIENT_XP: ({ details: { required, current } }) =>
        fill(contribute.xpMissing, {
          required: format.number(Number(required)),
          current: format.number(Number(current)),
        }),
      NOT_FOUND: contribute.problem.gone,
      INVALID_COORDINATES: contribute.problem.coordinates,
    },
  )
}

/** A stored refusal as an error. */
export const asRefusal = ({ code, details, status }: StoredRefusal): Refusal =>
  new Refusal(code, details, status === undefined ? {} : { status })

/** The names of the refused fields. */
export function refusedFields({ code, fields: named }: Refusal): readonly string[] {
  return code === 'INVALID_COORDINATES' ? ['latitude', 'longitude'] : named.map(fieldAt)
}
