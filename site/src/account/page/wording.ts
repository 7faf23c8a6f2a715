import { limits } from '@openfountain/core/rules'
import { fill } from '../../messages.ts'
import { Refusal } from '../../api/request.ts'
import { format, words } from './config.ts'

/** The operation that was refused; one error code needs another remedy in each. */
export type Act =
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
export function wordingOf(error: unknown, act: Act): string {
  if (error instanceof Refusal) return refusalWording(error, act)
  const name = error instanceof Error ? error.name : ''
  if (name === 'InvalidStateError') return problem.passkeyKnown
  if (name === 'SecurityError') return problem.passkeyHere
  if (name === 'NotAllowedError' || name === 'AbortError') return problem.passkeyCancelled
  return problem.server
}

function refusalWording(refusal: Refusal, act: Act): string {
  const { details, retryAfterSeconds } = refusal
  switch (refusal.code) {
    case 'UNAUTHORIZED':
      return unauthorized(act, details['triesLeft'])
    case 'FORBIDDEN':
      return forbidden(act, details)
    case 'CONFLICT':
      if (act === 'removing') return problem.lastWay
      return act === 'adding' || act === 'addingProvider' ? problem.elsewhere : problem.taken
    case 'INVALID_INPUT':
      return fieldWording(refusal.fields, act)
    case 'REAUTHENTICATION_REQUIRED':
      return problem.again
    case 'NOT_FOUND':
      return act === 'other' || act === 'removing' ? problem.gone : problem.off
    case 'UNAVAILABLE':
      // A browser that is led back brings the code alone: it is the provider, not this server, that did not respond.
      if (retryAfterSeconds === undefined && isOfProvider(act)) return problem.providerDown
      return waitWording(retryAfterSeconds)
    case 'RATE_LIMITED':
      return waitWording(retryAfterSeconds)
    case 'OFFLINE':
      return problem.offline
    default:
      return problem.server
  }
}

const isOfProvider = (act: Act): boolean => act === 'provider' || act === 'addingProvider'

const waitWording = (seconds = 60): string => format.count(problem.wait, Math.max(1, Math.ceil(seconds / 60)))

function unauthorized(act: Act, triesLeft: unknown): string {
  if (act === 'link') return problem.link
  if (act === 'passkey') return problem.passkey
  if (isOfProvider(act)) return problem.provider
  if (act !== 'code') return problem.signedOut
  if (typeof triesLeft !== 'number') return problem.codeOver
  return triesLeft > 0 ? format.count(problem.tries, triesLeft) : problem.codeOver
}

function forbidden(act: Act, details: Readonly<Record<string, unknown>>): string {
  const { reason, blockedUntil, registration } = details
  if (typeof reason === 'string') {
    const told = format.isolate(reason)
    return typeof blockedUntil === 'string'
      ? fill(problem.blockedUntil, { date: format.date(blockedUntil), reason: told })
      : fill(problem.blocked, { reason: told })
  }
  if (registration === 'closed') return problem.closed
  return act === 'code' || act === 'provider' || act === 'link' ? problem.invitation : problem.forbidden
}

function fieldWording(fields: readonly string[], act: Act): string {
  if (fields.includes('name') || fields.includes('device'))
    return fill(problem.name, { max: format.number(limits.userName) })
  if (fields.includes('email')) return problem.email
  if (fields.includes('code')) return problem.codeForm
  if (fields.includes('confirm')) return problem.confirm
  return act === 'provider' ? problem.provider : problem.input
}

/** A text with a user's name inserted. */
export const withName = (text: string, name: string): string => fill(text, { name: format.isolate(name) })
