import { limits } from '@openfountain/core/rules'
import { fill } from '../../messages.ts'
import { Refusal } from '../../api/request.ts'
import { refusalWords } from '../../ui/refusal.ts'
import { format, words } from './config.ts'

/** The operation that was refused; one error code needs another remedy in each. */
export type Operation =
  | 'link'
  | 'code'
  | 'passkey'
  | 'provider'
  | 'adding'
  | 'addingProvider'
  | 'removing'
  | 'leaving'
  | 'other'

const { problem } = words

/** The text of an error in the reader's language, with the remedy. */
export function wordingOf(error: unknown, operation: Operation): string {
  if (error instanceof Refusal) return refusalWording(error, operation)
  const name = error instanceof Error ? error.name : ''
  if (name === 'InvalidStateError') return problem.passkeyKnown
  if (name === 'SecurityError') return problem.passkeyHere
  if (name === 'NotAllowedError' || name === 'AbortError') return problem.passkeyCancelled
  return problem.server
}

function refusalWording(refusal: Refusal, operation: Operation): string {
  const isGone = operation === 'other' || operation === 'removing'
  return refusalWords(
    refusal,
    { problem, format },
    {
      UNAUTHORIZED: ({ details }) => unauthorized(operation, details['triesLeft']),
      FORBIDDEN: ({ details }) => forbidden(operation, details),
      CONFLICT:
        operation === 'removing'
          ? problem.lastWay
          : operation === 'adding' || operation === 'addingProvider'
            ? problem.elsewhere
            : problem.taken,
      INVALID_INPUT: fieldWording(refusal.fields, operation),
      REAUTHENTICATION_REQUIRED: problem.again,
      NOT_FOUND: isGone ? problem.gone : problem.off,
      // After a redirect the error is the provider's: this server did respond.
      UNAVAILABLE: ({ retryAfterSeconds }) =>
        retryAfterSeconds === undefined && isOfProvider(operation) ? problem.providerDown : undefined,
    },
  )
}

const isOfProvider = (operation: Operation): boolean =>
  operation === 'provider' || operation === 'addingProvider'

function unauthorized(operation: Operation, triesLeft: unknown): string {
  if (operation === 'link') return problem.link
  if (operation === 'passkey') return problem.passkey
  if (isOfProvider(operation)) return problem.provider
  if (operation !== 'code') return problem.signedOut
  if (typeof triesLeft !== 'number') return problem.codeOver
  return triesLeft > 0 ? format.count(problem.tries, triesLeft) : problem.codeOver
}

function forbidden(operation: Operation, details: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof details['reason'] === 'string') return undefined
  if (details['registration'] === 'closed') return problem.closed
  return operation === 'code' || operation === 'provider' || operation === 'link'
    ? problem.invitation
    : problem.forbidden
}

function fieldWording(fields: readonly string[], operation: Operation): string {
  if (fields.includes('name') || fields.includes('device'))
    return fill(problem.name, { max: format.number(limits.userName) })
  if (fields.includes('email')) return problem.email
  if (fields.includes('code')) return problem.codeForm
  if (fields.includes('confirm')) return problem.confirm
  return operation === 'provider' ? problem.provider : problem.input
}

/** A text with a user's name inserted. */
export const withName = (text: string, name: string): string => fill(text, { name: format.isolate(name) })
