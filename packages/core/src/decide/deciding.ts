import { RegistryError } from '../errors.ts'
import { type Draft, type GivenEntry, type StoredEntry, apiUserId } from '../log/entry.ts'
import type { KeyOf, LastIds, NounName, NounNeed, Nouns, UnloggedNouns, Where } from '../log/nouns.ts'
import type { Place } from '../places/geodesy.ts'
import type { Kept } from '../schemas/user.ts'
import { lifetimes } from '../rules.ts'
import {
  secretId,
  type Secret,
  type SecretKind,
  type SecretOf,
  isGood,
  minutesAfter,
  minutesOf,
  secretUnder,
  type KeptRequest,
} from '../secrets.ts'
import type { Alongside } from '../store/host-statements.ts'

/**
 * A decision is a generator without a database, a clock or an `await`: it yields its needs, receives the facts, and
 * returns its entries and its answer, or throws a refusal. Tests drive it with tables of cases.
 */

export interface Questions {
  entriesAbout: { readonly subject: StoredEntry['subject']; readonly subjectId: number | string }
  /** Entries after an id, at most `limit`. */
  entriesAfter: { readonly after: number; readonly limit: number }
  /** Entries by one person at or after a time and before an id, at most `limit`, the newest first. */
  entriesBy: {
    readonly userId: string
    readonly since: string
    readonly before: number
    readonly limit: number
  }
  /** The maintainers and sources of all keepers. */
  keepers: Readonly<Record<never, never>>
  moderators: Readonly<Record<never, never>>
  /** Waypoints within some metres of a place, at most `limit`, the nearest first. */
  near: Place & { readonly metres: number; readonly limit: number }
}

export interface Answers {
  entriesAbout: readonly StoredEntry[]
  entriesAfter: readonly StoredEntry[]
  entriesBy: readonly StoredEntry[]
  keepers: readonly Kept[]
  moderators: readonly string[]
  /** The ids of waypoints. */
  near: readonly number[]
}

/** Something that a decision needs to know: a noun, the nouns with certain members, or the answer to a question. */
export type Need =
  | NounNeed
  | { readonly [Q in keyof Questions]: { readonly ask: Q; readonly of: Questions[Q] } }[keyof Questions]

/** The input of a decision: the nouns as they stand, and the answers to its questions. */
export interface Facts {
  get<Noun extends NounName>(noun: Noun, key: KeyOf<Noun>): Nouns[Noun] | undefined
  find<Noun extends NounName>(noun: Noun, where: Where<Noun>): Nouns[Noun][]
  ask<Q extends keyof Questions>(question: Q, of: Questions[Q]): Answers[Q]
  readonly last: LastIds
  /** The id that the first entry of this decision will have; the others follow. */
  readonly nextEntry: number
}

export type Deciding<Result> = Generator<readonly Need[], Result, Facts>
export type Decided<Answer> = Deciding<Decision<Answer>>

/** A noun stored outside the log, after the write. */
export type Unlogged = {
  readonly [Noun in keyof UnloggedNouns]: { readonly noun: Noun; readonly after: UnloggedNouns[Noun] }
}[keyof UnloggedNouns]

/** An entry that another registry made, with its seal. */
export interface Mirrored {
  readonly sealed: GivenEntry
}

/** The result of deciding. Without entries and unlogged nouns nothing is written. */
export interface Decision<Answer> {
  /** In order. */
  readonly entries: readonly (Draft | Mirrored)[]
  readonly unlogged?: readonly Unlogged[]
  /** The id of the user who is recorded for the entries. */
  readonly by: string
  readonly answer: Answer
  /** The id that a repeated request is answered from. Default the subject of the first entry. */
  readonly subject?: number | string | undefined
}

export interface RequestOnce {
  /** A keyed hash of the caller and the key. */
  readonly id: string
  readonly request: string
  /** The owner; deleted with the owner's account. */
  readonly userId?: string | undefined
}

export interface Job<Answer> {
  /** Decides at a time, ISO 8601 in UTC with milliseconds. */
  decide(at: string): Decided<Answer>
  /** Whether it is part of one act with the other jobs of its batch: when one is refused, none is made. Default false. */
  readonly isPart?: boolean
  /** Decides, but writes nothing. Default false. */
  readonly dryRun?: boolean
  /** The request that it is the first write of, which is made once. */
  readonly once?: RequestOnce | undefined
  /** Statements of the host in the same transaction, which has no other job then. */
  readonly alongside?: Alongside | undefined
}

export function* nounOf<Noun extends NounName>(
  noun: Noun,
  key: KeyOf<Noun>,
): Generator<readonly Need[], Nouns[Noun] | undefined, Facts> {
  // The compiler cannot relate the members of a need that is generic.
  const facts = yield [{ noun, key } as Need]
  return facts.get(noun, key)
}

/** The nouns with these members as they stand, by id. */
export function* nounsWhere<Noun extends NounName>(
  noun: Noun,
  where: Where<Noun>,
): Generator<readonly Need[], Nouns[Noun][], Facts> {
  const facts = yield [{ noun, where } as Need]
  return facts.find(noun, where)
}

export function* asked<Q extends keyof Questions>(
  ask: Q,
  of: Questions[Q],
): Generator<readonly Need[], Answers[Q], Facts> {
  const facts = yield [{ ask, of } as Need]
  return facts.ask(ask, of)
}

export const kept = (after: Secret): Unlogged => ({ noun: 'secret', after })

export const removed = (before: Secret): Unlogged => kept({ ...before, isGone: true })

export function* secretOf<Kind extends SecretKind>(
  kind: Kind,
  key: string,
): Deciding<SecretOf<Kind> | undefined> {
  const found = yield* nounOf('secret', secretId(kind, key))
  // An id begins with its kind.
  return found?.isGone === true ? undefined : (found as SecretOf<Kind> | undefined)
}

const pageSize = 500

/** The entries of an act, oldest first. They follow one another, or nearly. */
export function* entriesOfAct(act: number): Deciding<StoredEntry[]> {
  const found: StoredEntry[] = []
  for (let after = act - 1; ;) {
    const page = yield* asked('entriesAfter', { after, limit: pageSize })
    const own = page.filter(({ links }) => links.act === act)
    found.push(...own)
    const last = page.at(-1)
    if (last === undefined || own.length === 0 || page.length < pageSize) return found
    after = last.id
  }
}

export function withoutEntries<Answer>(answer: Answer, unlogged: readonly Unlogged[] = []): Decision<Answer> {
  return { entries: [], unlogged, by: apiUserId, answer }
}

/** Refuses a repeated request: the answer is read from the stored data, and nothing is written. */
export class Repeated extends Error {
  override readonly name = 'Repeated'
  readonly kept: KeptRequest

  constructor(before: KeptRequest) {
    super('This request was made before')
    this.kept = before
  }
}

/** The stored request, until it expires. @throws RegistryError IDEMPOTENCY_MISMATCH when it was another request */
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

/** The first accepted request under a key stores it. @throws Repeated for the others; RegistryError IDEMPOTENCY_MISMATCH */
export function* decideOnce<Answer>(
  once: RequestOnce,
  decide: () => Decided<Answer>,
  at: string,
): Decided<Answer> {
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
