import {
  RegistryError,
  anonymous,
  defaultRules,
  token,
  user,
  userByToken,
  type Actor,
  type Rules,
} from '@openfountain/core'
import type { Occasion } from '../../src/decide/contributor.ts'
import type { Deciding, Decision, Job, Need, Questions } from '../../src/decide/deciding.ts'
import { type Draft, type LoggedEntry, type StoredEntry, loggedEntry } from '../../src/log/entry.ts'
import type {
  KeyOf,
  LastIds,
  NounName,
  Nouns,
  Person,
  VouchedNouns,
  Where,
  WaypointState,
} from '../../src/log/nouns.ts'
import { LoadedFacts, script, type LogState, type Outcome } from '../../src/log/script.ts'
import { builtIn, newPerson, type Totals } from '../../src/log/states.ts'
import type { TileRoot } from '@openfountain/tlog/frontier'
import { distanceMetres } from '../../src/places/geodesy.ts'

const noTotals: Totals = {
  waypoints: 0,
  approvedWaypoints: 0,
  verifiedWaypoints: 0,
  users: 0,
  reviews: 0,
  reviewsPosted: 0,
  actions: 0,
  actionCounts: {},
}

export const now = '2026-06-01T12:00:00.000Z'
export const earlier = '2026-01-01T00:00:00.000Z'

export const square = { name: 'Market square', latitude: 55.7029, longitude: 13.1929 }

export function occasion(actor: Actor, rules: Rules = defaultRules, at = now): Occasion {
  return { actor, rules, at }
}

export function person(id: string, xp: number, rest: Partial<Person> = {}): Person {
  return { ...newPerson(id, earlier), xp, ...rest }
}

export function waypoint(rest: Partial<WaypointState> = {}): WaypointState {
  return {
    id: 1,
    ...square,
    amenities: [],
    approved: false,
    verified: false,
    addedByUserId: 'ada',
    createdAt: earlier,
    updatedAt: earlier,
    verifiedOnce: false,
    isAttested: false,
    version: 1,
    ...rest,
  }
}

export const people: readonly Person[] = [
  person('newcomer', 0),
  person('nine', 9),
  person('ten', 10),
  person('nineteen', 19),
  person('twenty', 20),
  person('ada', 100),
  person('mo', 0, { isModerator: true }),
  person('max', 100, { isModerator: true }),
  person('blocked', 100, { block: { reason: 'spam' } }),
  person('paused', 100, { block: { reason: 'spam', until: '2026-07-01T00:00:00.000Z' } }),
  person('back', 100, { block: { reason: 'spam', until: now } }),
]

export const callers = {
  anonymous,
  unknown: user('nobody'),
  newcomer: user('newcomer'),
  'one with 9 XP': user('nine'),
  'one with 10 XP': user('ten'),
  'one with 19 XP': user('nineteen'),
  'one with 20 XP': user('twenty'),
  contributor: user('ada'),
  'moderator without XP': user('mo'),
  'moderator with XP': user('max'),
  'program of a moderator': userByToken('max'),
  blocked: user('blocked'),
  'blocked for a month': user('paused'),
  'one whose block ended': user('back'),
  token: token(),
  'token with an owner': token('newcomer'),
  'token of nobody': token('nobody'),
} as const satisfies Record<string, Actor>
export type Caller = keyof typeof callers

type Given = { readonly [Noun in NounName]?: readonly Nouns[Noun][] }

export type Decided<Answer> =
  | ({ readonly ok: true } & Decision<Answer>)
  | { readonly ok: false; readonly error: RegistryError }

function matches(row: object, where: object): boolean {
  const members = row as Readonly<Record<string, unknown>>
  return Object.entries(where).every(([name, value]) => members[name] === value)
}

/** Nouns in plain maps: enough for the reads of decisions and the writes of scripts. */
export class World {
  readonly #rows = new Map<NounName, Map<unknown, unknown>>()
  readonly tiles: TileRoot[] = []
  state: LogState
  #seeds = 0

  constructor(given: Given = {}) {
    for (const each of builtIn) this.#keep('user', each)
    this.#keep('profile', { id: 'api', name: 'API', updatedAt: earlier })
    for (const noun of Object.keys(given) as NounName[])
      for (const row of given[noun] ?? []) this.#keep(noun, row as never)
    const newest = (noun: keyof LastIds): [string, number] => [noun, Math.max(0, ...this.#of(noun).keys())]
    const counted = ['waypoint', 'review', 'area', 'source', 'import'] as const
    const last = Object.fromEntries(counted.map(newest)) as unknown as LastIds
    this.state = { size: 0, peaks: '', last, totals: noTotals }
  }

  #of<Noun extends NounName>(noun: Noun): Map<KeyOf<Noun>, Nouns[Noun]> {
    const rows = this.#rows.get(noun) ?? new Map<unknown, unknown>()
    this.#rows.set(noun, rows)
    return rows as Map<KeyOf<Noun>, Nouns[Noun]>
  }

  #keep<Noun extends NounName>(noun: Noun, row: Nouns[Noun]): void {
    this.#of(noun).set(row.id as KeyOf<Noun>, row)
  }

  get<Noun extends NounName>(noun: Noun, key: KeyOf<Noun>): Nouns[Noun] | undefined {
    return this.#of(noun).get(key)
  }

  all<Noun extends NounName>(noun: Noun): Nouns[Noun][] {
    return [...this.#of(noun).values()].toSorted((one, other) => (one.id < other.id ? -1 : 1))
  }

  log(): LoggedEntry[] {
    return this.all('entry').map(loggedEntry)
  }

  #near({ metres, limit, ...place }: Questions['near']): number[] {
    return this.all('waypoint')
      .filter(({ deletedAt }) => deletedAt === undefined)
      .map((each) => ({ id: each.id, away: distanceMetres(place, each) }))
      .filter(({ away }) => away <= metres)
      .toSorted((one, other) => one.away - other.away)
      .slice(0, limit)
      .map(({ id }) => id)
  }

  #moderators(): string[] {
    const moderators = this.all('profile').filter(({ id }) => this.get('user', id)?.isModerator)
    return moderators.flatMap(({ name, leftAt }) => (leftAt === undefined ? [name] : []))
  }

  #entries<Q extends keyof Questions>(question: Q, of: Questions[Q]): StoredEntry[] {
    const asked: Partial<Questions['entriesAbout'] & Questions['entriesAfter'] & Questions['entriesBy']> = of
    const all = this.all('entry')
    if (question === 'entriesAbout')
      return all.filter(
        ({ subject, subjectId }) => subject === asked.subject && subjectId === asked.subjectId,
      )
    if (question === 'entriesAfter')
      return all.filter(({ id }) => id > (asked.after ?? 0)).slice(0, asked.limit)
    return all
      .filter(
        ({ id, by, at }) => by === asked.userId && at >= (asked.since ?? '') && id < (asked.before ?? 0),
      )
      .toReversed()
      .slice(0, asked.limit)
  }

  #ask(facts: LoadedFacts, need: Extract<Need, { ask: unknown }>): void {
    if (need.ask === 'near') facts.answer('near', need.of, this.#near(need.of))
    else if (need.ask === 'moderators') facts.answer('moderators', need.of, this.#moderators())
    else facts.answer(need.ask, need.of, this.#entries(need.ask, need.of))
  }

  #load<Noun extends NounName>(facts: LoadedFacts, noun: Noun, key: KeyOf<Noun>): void {
    facts.of(noun).load(key, this.get(noun, key))
  }

  #loadAll<Noun extends NounName>(facts: LoadedFacts, noun: Noun, where: Where<Noun>): void {
    const rows = this.all(noun).filter((row) => matches(row, where))
    facts.of(noun).loadAll(where, rows)
  }

  #answer(facts: LoadedFacts, needs: readonly Need[]): void {
    for (const need of needs) {
      if ('ask' in need) this.#ask(facts, need)
      else if ('key' in need) this.#load(facts, need.noun, need.key)
      else this.#loadAll(facts, need.noun, need.where)
    }
  }

  decide<Answer>(deciding: Deciding<Decision<Answer>>): Decided<Answer> {
    const facts = new LoadedFacts(this.state)
    try {
      for (let next = deciding.next(); ; next = deciding.next(facts)) {
        if (next.done === true) return { ok: true, ...next.value }
        this.#answer(facts, next.value)
      }
    } catch (error) {
      if (error instanceof RegistryError) return { ok: false, error }
      throw error
    }
  }

  write<Answer>(jobs: readonly Job<Answer>[], at: string = now): Outcome<Answer>[] {
    const seed = (): string => (++this.#seeds).toString(16).padStart(32, '0')
    const { facts, steps } = script(jobs, this.state, { now: new Date(at), seed })
    for (let next = steps.next(); ; next = steps.next()) {
      if (next.done === true) return next.value as Outcome<Answer>[]
      const step = next.value
      if (step.step === 'load') this.#answer(facts, step.needs)
      else if (step.step === 'save') {
        for (const { entry, seed: its, leaf, hole } of step.changes.entries)
          this.#keep('entry', { ...entry, seed: its, leaf, hole })
        for (const [noun, changed] of Object.entries(step.changes.nouns))
          for (const { after } of changed) this.#keep(noun as NounName, after as never)
        this.tiles.push(...step.changes.tiles)
        this.state = step.changes.state
      }
    }
  }

  /** Runs one decision and stores its writes. @throws its refusal */
  act<Answer>(decide: (at: string) => Deciding<Decision<Answer>>, at: string = now): Answer {
    const [outcome] = this.write([{ decide }], at)
    if (outcome === undefined) throw new Error('a job has an outcome')
    if (outcome.ok) return outcome.answer
    throw outcome.error
  }

  append(drafts: readonly Draft[], by: string, at: string = now): void {
    this.act(function* decide() {
      yield []
      return { entries: drafts, by, answer: undefined }
    }, at)
  }
}

export const vouched = 'waypoint review user area source import record entry'.split(
  ' ',
) as (keyof VouchedNouns)[]

export const vouchedBy = (world: World): Record<string, object> =>
  Object.fromEntries(vouched.flatMap((noun) => world.all(noun).map((row) => [`${noun} ${row.id}`, row])))

export function accepted<Answer>(decided: Decided<Answer>): Decision<Answer> {
  if (decided.ok) return decided
  throw decided.error
}

/** The refusal of a decision: its code, with the path of the first issue for inputs. */
export function refusalOf(decided: Decided<unknown>) {
  if (decided.ok) throw new Error('nothing was refused')
  const { code, details }: { code: string; details: Readonly<Record<string, unknown>> } = decided.error
  return { code, details }
}

export function ending(decided: Decided<unknown>): string {
  return decided.ok ? 'done' : decided.error.code
}

export function refusals(decide: (actor: Actor) => Decided<unknown>): Partial<Record<Caller, string>> {
  const all = Object.entries(callers).map(([caller, actor]) => [caller, ending(decide(actor))])
  return Object.fromEntries(all.filter(([, end]) => end !== 'done')) as Partial<Record<Caller, string>>
}

export function allowed(decide: (actor: Actor) => Decided<unknown>): string[] {
  return Object.keys(callers).filter((caller) => ending(decide(callers[caller as Caller])) === 'done')
}

export const shutOut = {
  anonymous: 'UNAUTHORIZED',
  unknown: 'UNAUTHORIZED',
  'token of nobody': 'UNAUTHORIZED',
  blocked: 'FORBIDDEN',
  'blocked for a month': 'FORBIDDEN',
}
