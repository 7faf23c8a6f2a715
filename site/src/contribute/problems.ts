import type { OwnUser } from '@openfountain/core'
import { limits } from '@openfountain/core/rules'
import { waypointFields, type Field } from '@openfountain/core/fields'
import { Refusal } from '../api/request.ts'
import { fill } from '../messages.ts'
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
export function blockedText(
  { words: { problem }, format }: Setting,
  { reason, until }: NonNullable<OwnUser['blocked']>,
): string {
  const isolated = format.isolate(reason)
  return until === undefined
    ? fill(problem.blocked, { reason: isolated })
    : fill(problem.blockedUntil, { date: format.date(until), reason: isolated })
}

/** The text of a refusal of the whole form, in the reader's language. */
export function refusalText(setting: Setting, { code, details, retryAfterSeconds }: Refusal): string {
  const { words, format } = setting
  const { contribute, problem } = words
  const { reason, blockedUntil, required, current } = details
  switch (code) {
    case 'UNAUTHORIZED':
      return problem.signedOut
    case 'INSUFFICIENT_XP':
      return fill(contribute.xpMissing, {
        required: format.number(Number(required)),
        current: format.number(Number(current)),
      })
    case 'FORBIDDEN':
      return typeof reason === 'string'
        ? blockedText(setting, { reason, ...(typeof blockedUntil === 'string' && { until: blockedUntil }) })
        : problem.forbidden
    case 'NOT_FOUND':
      return contribute.problem.gone
    case 'INVALID_COORDINATES':
      return contribute.problem.coordinates
    case 'INVALID_INPUT':
      return problem.input
    case 'RATE_LIMITED':
    case 'UNAVAILABLE':
      return format.count(problem.wait, Math.max(1, Math.ceil((retryAfterSeconds ?? 60) / 60)))
    case 'OFFLINE':
      return problem.offline
    default:
      return problem.server
  }
}

/** A stored refusal as an error. */
export const asRefusal = ({ code, details, status }: StoredRefusal): Refusal =>
  new Refusal(code, details, status === undefined ? {} : { status })

/** The names of the refused fields. */
export function refusedFields({ code, fields: named }: Refusal): readonly string[] {
  return code === 'INVALID_COORDINATES' ? ['latitude', 'longitude'] : named.map(fieldAt)
}
