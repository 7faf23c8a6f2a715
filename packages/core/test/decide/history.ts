import { defaultRules, token, user, type Actor } from '@openfountain/core'
import { ring } from '@openfountain/testing/registry'
import { createArea } from '../../src/decide/area.ts'
import type { Occasion } from '../../src/decide/contributor.ts'
import type { Deciding, Decision } from '../../src/decide/deciding.ts'
import { beginRun } from '../../src/decide/import-run.ts'
import { importRow, type ImportOutcome, type ImportRow, type RunTerms } from '../../src/decide/import.ts'
import { mergeWaypoints, restoreWaypoint } from '../../src/decide/merge.ts'
import { createObservation, type PseudonymOf } from '../../src/decide/observation.ts'
import { redactEntry, type Redacted, type RedactionRequest } from '../../src/decide/redaction.ts'
import { revertEntry, revertPerson, type Reverted, type RevertOptions } from '../../src/decide/revert.ts'
import { createReview, deleteReview, updateReview } from '../../src/decide/review.ts'
import { undoAct, type UndoneAct } from '../../src/decide/undo-act.ts'
import { blockUser, createUser, grantXp, unblockUser } from '../../src/decide/user.ts'
import { createWaypoint, deleteWaypoint, updateWaypoint } from '../../src/decide/waypoint.ts'
import type { StoredEntry } from '../../src/log/entry.ts'
import { accepted, square, World } from './world.ts'

export const ada = user('ada')
export const bob = user('bob')
export const mo = user('mo')
export const api = token()

export const pseudonymOf: PseudonymOf = (userId, bubblerId) => `${userId} at ${bubblerId}`

/** A registry with a history: every write is decided, folded and stored, a minute after the previous one. */
export class History {
  readonly world = new World()
  #minutes = 0

  constructor() {
    for (const id of ['ada', 'bob', 'mo'])
      this.act((at) => createUser(at, { id, name: id, isModerator: id === 'mo', xp: 100 }, () => id))
  }

  get at(): string {
    return new Date(Date.UTC(2026, 0, 1, 0, this.#minutes + 1)).toISOString()
  }

  act<Answer>(decide: (at: string) => Deciding<Decision<Answer>>): Answer {
    const { at } = this
    this.#minutes++
    return this.world.act(decide, at)
  }

  #by<Answer>(actor: Actor, decide: (occasion: Occasion) => Deciding<Decision<Answer>>): Answer {
    return this.act((at) => decide({ rules: defaultRules, actor, at }))
  }

  get newest(): StoredEntry {
    return this.entry(this.world.state.size)
  }

  entry(id: number): StoredEntry {
    const found = this.world.get('entry', id)
    if (found === undefined) throw new Error(`there is no entry ${id}`)
    return found
  }

  after(id: number): object[] {
    return this.world
      .all('entry')
      .filter((entry) => entry.id > id)
      .map(({ subject, subjectId, action, fields, awards, links }) => ({
        about: `${subject} ${subjectId} ${action}`,
        fields,
        ...(awards.length > 0 && { awards }),
        ...(Object.keys(links).length > 0 && { links }),
      }))
  }

  xp(id: string): number | undefined {
    return this.world.get('user', id)?.xp
  }

  /** Runs a user's decision and writes its entries. @returns the id of the last entry */
  #entry(actor: Actor, decide: (occasion: Occasion) => Deciding<Decision<unknown>>): number {
    this.#by(actor, decide)
    return this.world.state.size
  }

  create = (actor: Actor = ada, input: object = {}) =>
    this.#entry(actor, (occasion) => createWaypoint(occasion, { ...square, ...input }))
  edit = (actor: Actor, id: number, patch: object) =>
    this.#entry(actor, (occasion) => updateWaypoint(occasion, id, patch))
  remove = (actor: Actor, id: number) => this.#entry(actor, (occasion) => deleteWaypoint(occasion, id))
  review = (actor: Actor, bubblerId: number, comment?: string) =>
    this.#entry(actor, (occasion) => createReview(occasion, { bubblerId, rating: 4, comment }))
  rereview = (actor: Actor, id: number, patch: object) =>
    this.#entry(actor, (occasion) => updateReview(occasion, id, patch))
  unreview = (actor: Actor, id: number) => this.#entry(actor, (occasion) => deleteReview(occasion, id))
  area = (name: string, description?: string) =>
    this.#entry(api, (occasion) => createArea(occasion, { name, description, coordinates: [ring] }))
  restore = (id: number, actor: Actor = mo) =>
    this.#entry(actor, (occasion) => restoreWaypoint(occasion, id, { reason: 'mistake' }))
  merge = (id: number, into: number, actor: Actor = mo) =>
    this.#entry(actor, (occasion) => mergeWaypoints(occasion, id, { into, reason: 'the same' }, pseudonymOf))
  block = (id: string, reason: string) => this.#entry(mo, (occasion) => blockUser(occasion, id, { reason }))
  unblock = (id: string) => this.#entry(mo, (occasion) => unblockUser(occasion, id))
  grant = (id: string, amount: number, reason: string) => this.#entry(api, () => grantXp(id, amount, reason))
  observe = (actor: Actor, bubblerId: number, kind = 'broken', comment?: string) => {
    const seenBy = (day: string, who: string): string => `${who} on ${day}`
    const options = { pseudonymOf, seenBy, newId: `report ${this.world.state.size}` }
    return this.#entry(actor, (occasion) =>
      createObservation(occasion, { bubblerId, kind, comment }, options),
    )
  }

  revert(id: number, actor: Actor = mo): readonly number[] {
    return this.#by(actor, (occasion) => revertEntry(occasion, id, { reason: 'spam' }))
  }

  revertPerson(id: string, options: Partial<RevertOptions> = {}, actor: Actor = mo): Reverted {
    const { since = '2026-01-01T00:00:00.000Z', dryRun = false } = options
    const given = { reason: 'spam', ...options, since }
    const decide = (occasion: Occasion) => revertPerson(occasion, id, given)
    if (!dryRun) return this.#by(actor, decide)
    return accepted(this.world.decide(decide({ rules: defaultRules, actor, at: this.at }))).answer
  }

  undo(act: number, actor: Actor = mo, before?: number): UndoneAct {
    return this.#by(actor, (occasion) => undoAct(occasion, act, { reason: 'mistake', before }))
  }

  redact(id: number, options: Partial<RedactionRequest> = {}): Redacted {
    return this.act(() => redactEntry({ reason: 'privacy', ...options, id }))
  }

  run(name = 'City of Lund', file?: { name: string; sha256: string; bytes: number }): RunTerms {
    const source = { name, license: 'CC0-1.0' }
    const { runId, sourceId } = this.act((at) => beginRun(at, { source, file }))
    return { rules: defaultRules, actor: api, runId, sourceId, approved: true }
  }

  row(terms: RunTerms, row: Partial<ImportRow> & { input: object }): ImportOutcome {
    return this.act((at) => importRow(terms, { row: 1, ...row, input: { ...square, ...row.input } }, at))
  }

  has(text: string): boolean {
    const nouns = ['entry', 'waypoint', 'review', 'area', 'user', 'import', 'record', 'base'] as const
    return nouns.some((noun) => JSON.stringify(this.world.all(noun)).includes(text))
  }
}

export function refusal(write: () => unknown): { code: unknown; details: unknown } {
  try {
    write()
  } catch (error) {
    if (error instanceof Error && 'code' in error && 'details' in error)
      return { code: error.code, details: error.details }
    throw error
  }
  throw new Error('nothing was refused')
}
