import { limits } from '@openfountain/core/rules'
import { Refusal } from '../../api/request.ts'
import { fill } from '../../messages.ts'
import { refusalWords } from '../../ui/refusal.ts'
import { desk, fieldName, format, words } from './config.ts'

const { problem } = words.account

/** The text of an error in the reader's language, with the remedy. */
export function wordingOf(error: unknown): string {
  if (!(error instanceof Refusal)) return problem.server
  return refusalWords(
    error,
    { problem, format },
    {
      UNAUTHORIZED: desk.problem.signedOut,
      FORBIDDEN: ({ details: { isModerator, reason } }) =>
        isModerator === true
          ? desk.problem.moderator
          : typeof reason === 'string'
            ? undefined
            : desk.problem.notAllowed,
      // A user who is no longer a moderator.
      INSUFFICIENT_XP: desk.problem.notAllowed,
      NOT_FOUND: desk.problem.gone,
      CONFLICT: ({ details }) => conflict(details),
      PRECONDITION_FAILED: desk.problem.changed,
      INVALID_INPUT: fieldWording(error.fields),
    },
  )
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
  return fields.includes('into') || fields.includes('from') ? desk.problem.other : problem.input
}
