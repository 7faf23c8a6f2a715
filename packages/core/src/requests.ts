import { createHmac } from 'node:crypto'
import {
  userIdOf,
  type Actor,
  actorOf,
  contribution,
  mustModerate,
  type Occasion,
} from './decide/contributor.ts'
import { type RequestOnce, storedRequest, Repeated, type Decided } from './decide/deciding.ts'
import { invalid } from './errors.ts'
import { canonicalJson } from './log/leaf.ts'
import { limits } from './rules.ts'
import { mustBeKnown } from './schemas/parse.ts'
import { secretId, type KeptRequest } from './secrets.ts'
import { Part } from './shared.ts'
import { whileRequested } from './store/write-queue.ts'

export interface RequestKey {
  readonly actor: Actor
  /** The secret of the API token; a registry may have several tokens. It is not stored. */
  readonly credential?: string | undefined
  /** 1 to 64 characters that the caller makes up, the same for each attempt; best a UUID. It is not stored. */
  readonly key: string
  /** The content that distinguishes the request, as a JSON value; it is not stored. */
  readonly request: unknown
}

export interface Repetition<Result> {
  /** The right that the caller must still have: to write, or to moderate. Default none. */
  readonly right?: 'write' | 'moderate' | undefined
  /** Reads the answer from the current data. */
  again(kept: KeptRequest): Promise<Result>
}

/** Requests that can be repeated without a second effect, such as those of a phone that lost its network. */
export class Requests extends Part {
  /**
   * Makes a request once, however often and at however many processes it arrives under the same key of the same caller.
   * The first write of `first` stores the key in its transaction, for 30 days, unless it is refused; later requests are
   * answered by `again`.
   *
   * @throws RegistryError INVALID_INPUT for a key that has not 1 to 64 characters of printable ASCII;
   * IDEMPOTENCY_MISMATCH when the key was used for another request; UNAUTHORIZED, FORBIDDEN when the caller has lost
   * the right; errors of `first` and `again`
   * @example
   * const input = { name: 'Park', latitude: 55.7, longitude: 13.19 }
   * const { result } = await registry.requests.once(
   *   { actor: token(), key: '8e03978e-40d5-43dd-bc93-6894a57f9324', request: ['create', input] },
   *   () => registry.waypoints.create(input, token()),
   *   { again: ({ subject }) => registry.waypoints.get(Number(subject)) },
   * )
   * result.name // 'Park'
   */
  async once<Result>(
    given: RequestKey,
    first: () => Promise<Result>,
    repetition: Repetition<Result>,
  ): Promise<{ readonly result: Result; readonly isRepeated: boolean }> {
    mustBeKnown(given, ['actor', 'credential', 'key', 'request'])
    mustBeKnown(repetition, ['right', 'again'])
    const once = await this.#hashed(given)
    const { secrets } = this.read
    const known = storedRequest(
      await secrets.get('request', secretId('request', once.id)),
      once,
      await this.store.time(),
    )
    if (known !== undefined) return this.#repeated(known, given.actor, repetition)
    try {
      const result = await whileRequested(once, first)
      return { result, isRepeated: false }
    } catch (error) {
      if (error instanceof Repeated) return this.#repeated(error.kept, given.actor, repetition)
      throw error
    }
  }

  async #repeated<Result>(kept: KeptRequest, actor: Actor, { right, again }: Repetition<Result>) {
    const mayDo = (occasion: Occasion) => mayRepeat(occasion, right ?? 'write')
    if (right !== undefined) await this.shared.contribute(actor, mayDo, { dryRun: true })
    return { result: await again(kept), isRepeated: true } as const
  }

  /** Keyed also with the caller's key, which is not stored: texts can only be guessed from the database together with it. */
  async #hashed({ actor: given, credential = '', key, request }: RequestKey): Promise<RequestOnce> {
    const actor = actorOf(given)
    if (!printable.test(key) || key.length > limits.idempotencyKey)
      throw invalid('key', `must have 1 to ${limits.idempotencyKey} characters of printable ASCII`)
    const secret = await this.read.state.placeKey()
    const hash = (about: unknown): string =>
      createHmac('sha256', secret).update(canonicalJson(about)).digest('hex')
    const userId = actor.kind === 'token' ? actor.ownerId : userIdOf(actor)
    const caller = [actor.kind, userId ?? '', actor.kind === 'token' ? credential : '']
    return {
      id: hash(['key', ...caller, key]),
      request: hash(['request', ...caller, key, request ?? null]),
      userId,
    }
  }
}

const printable = /^[\x20-\x7e]+$/

function* mayRepeat(occasion: Occasion, right: 'write' | 'moderate'): Decided<undefined> {
  const { who } = yield* contribution(occasion)
  if (right === 'moderate') mustModerate(who, 'Only moderators may do this')
  return { entries: [], by: who.userId, answer: undefined }
}
