import { limits } from '@openfountain/core/rules'
import { malformed } from '../problem.ts'

/** A text in quotes, as Structured Fields write it (RFC 9651, section 4.2.5); the header's draft standard wants one. */
const quotedText = /^"((?:[^"\\]|\\["\\])*)"$/
const printable = /^[\x20-\x7e]+$/

/**
 * The Idempotency-Key of a request, with or without the quotes of draft-ietf-httpapi-idempotency-key-header.
 *
 * @returns undefined without the header
 * @throws Problem INVALID_INPUT
 */
export function idempotencyKeyOf({ headers }: Request): string | undefined {
  const given = headers.get(idempotencyKey)?.trim()
  if (given === undefined) return undefined
  const key = quotedText.exec(given)?.[1]?.replaceAll(/\\(.)/g, '$1') ?? given
  if (key.length > limits.idempotencyKey || !printable.test(key))
    throw malformed(
      idempotencyKey,
      `must have 1 to ${limits.idempotencyKey} characters of printable ASCII: send a new UUID for each act`,
    )
  return key
}

export const idempotencyKey = 'Idempotency-Key'
export const replayed = [['idempotency-replayed', 'true']] as const
