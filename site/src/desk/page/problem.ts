import { limits } from '@openfountain/core/rules'
import { Refusal } from '../../api/request.ts'
import { fill } from '../../messages.ts'
import { desk, format, words } from './config.ts'
import { fieldName } from './fountain.ts'

/** The text of an error in the reader's language, with the remedy. */
export function wordingOf(error: unknown): string {
  return error instanceof Refusal ? refusalWording(error) : words.problem.server
}

function refusalWording({ code, details, fields, retryAfterSeconds }: Refusal): string {
  const { problem } = desk
  switch (code) {
    case 'UNAUTHORIZED':
      return problem.signedOut
    case 'FORBIDDEN':
      return forbidden(details)
    // A user who is no longer a moderator.
    case 'INSUFFICIENT_XP':
      return desk.problem.notAllowed
    case 'NOT_FOUND':
      return problem.gone
    case 'CONFLICT':
      return conflict(details)
    case 'PRECONDITION_FAILED':
      return problem.changed
    case 'INVALID_INPUT':
      return fieldWording(fields)
    case 'RATE_LIMITED':
    case 'UNAVAILABLE':
      return format.count(words.problem.wait, Math.max(1, Math.ceil((retryAfterSeconds ?? 60) / 60)))
    case 'OFFLINE':
      return words.problem.offline
    default:
      return words.problem.server
  }
}

function forbidden({ reason, blockedUntil, isModerator }: Readonly<Record<string, unknown>>): string {
  if (isModerator === true) return desk.problem.moderator
  if (typeof reason !== 'string') return desk.problem.notAllowed
  const given = format.isolate(reason)
  return typeof blockedUntil === 'string'
    ? fill(words.problem.blockedUntil, { date: format.date(blockedUntil), reason: given })
    : fill(words.problem.blocked, { reason: given })
}

function conflict({ fields, state }: Readonly<Record<string, unknown>>): string {
  if (state !== undefined) return desk.problem.decided
  const names = Array.isArray(fields) ? fields.map(String) : []
  if (names.length === 0 || names.includes('deletedAt')) return desk.problem.conflictPlain
  return fill(desk.problem.conflict, { fields: names.map(fieldName).join(', ') })
}

function fieldWording(fields: readonly string[]): string {
  if (fields.includes('reason')) return fill(desk.problem.reason, { max: format.number(limits.description) })
  if (fields.includes('since')) return desk.problem.since
  if (fields.includes('until')) return desk.problem.until
  if (fields.includes('into') || fields.includes('from')) return desk.problem.other
  return words.problem.input
}
