import { RegistryError } from '../errors.ts'
import { lifetimes } from '../rules.ts'
import {
  isGood,
  minutesAfter,
  minutesOf,
  secretId,
  secretUnder,
  type KeptRequest,
  type SecretOf,
} from '../secrets.ts'
import { type Deciding, type Decision, type RequestOnce, kept, secretOf } from './deciding.ts'

/** Refuses a repeated request: the answer is read from the stored data, and nothing is written. */
export class Repeated extends Error {
  override readonly name = 'Repeated'
  readonly kept: KeptRequest

  constructor(before: KeptRequest) {
    super('This request was made before')
    this.kept = before
  }
}

/**
 * The stored request under a key, until it expires.
 *
 * @throws RegistryError IDEMPOTENCY_MISMATCH when it was another request
 */
export function storedRequest(
  found: SecretOf<'request'> | undefined,
  { request }: Pick<RequestOnce, 'request'>,
  at: string,
): KeptRequest | undefined {
  if (found === undefined || !isGood(found, at)) return undefined
  if (found.value.request !== request) throw new RegistryError('IDEMPOTENCY_MISMATCH')
  const { request: _hash, ...subject } = found.value
  return subject
}

/**
 * Decides once for all requests with the same key: the first accepted one stores the key together with its write.
 *
 * @throws Repeated for the others; RegistryError IDEMPOTENCY_MISMATCH, errors of the decision
 */
export function* decideOnce<Answer>(
  once: RequestOnce,
  decide: () => Deciding<Decision<Answer>>,
  at: string,
): Deciding<Decision<Answer>> {
  const { nextEntry } = yield [{ noun: 'secret', key: secretId('request', once.id) }]
  const found = yield* secretOf('request', once.id)
  const before = storedRequest(found, once, at)
  if (before !== undefined) throw new Repeated(before)
  const decision = yield* decide()
  const [first] = decision.entries
  const { subject = first === undefined || 'sealed' in first ? undefined : first.subjectId } = decision
  const last = nextEntry + decision.entries.length - 1
  const value: KeptRequest & Pick<RequestOnce, 'request'> = {
    request: once.request,
    subject,
    ...(first !== undefined && { entries: [nextEntry, last] }),
  }
  const expiresAt = minutesAfter(at, lifetimes.requestDays * minutesOf.day)
  const rest = { number: found?.number, userId: once.userId, createdAt: at, expiresAt }
  const request = kept(secretUnder('request', once.id, value, rest))
  return { ...decision, unlogged: [...(decision.unlogged ?? []), request] }
}
