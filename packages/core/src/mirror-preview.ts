import { mustBeWellMade } from './decide/mirrored.ts'
import { broken, RegistryError } from './errors.ts'
import { reviewTexts } from './fields/review.ts'
import { isOfPosition } from './fields/waypoint.ts'
import {
  digestOf,
  leafData,
  longestLeaf,
  entryFields,
  LoggedEntry,
  type Entry,
  type GivenEntry,
  type Head,
  type Subject,
} from './log/entry.ts'
import { namesOf } from './log/fold.ts'
import type { LogState } from './log/script.ts'
import { Frontier, leafHash } from './log/tree.ts'
import { parseForeign } from './schemas/parse.ts'
import type { OpenHole } from './store/answers.ts'

const place = (subject: Subject, subjectId: number | string, field: string): string =>
  `${subject} ${subjectId} ${field}`

/** Whether the text of a field is in the state of its subject until a later entry replaces it. */
function isKept(subject: Subject, field: string): boolean {
  return (subject === 'waypoint' || subject === 'review' || subject === 'area') && !entryFields.has(field)
}

/**
 * Checks the entries of another registry before any of them is taken over: each is well formed, together they lead to a
 * head, and lost fields were redacted and are no longer in force. Checks that depend on the state before an entry
 * follow when it is taken over.
 */
export class MirrorPreview {
  readonly #now: number
  readonly #isDeletedHere: (waypointId: number) => Promise<boolean>
  readonly #frontier: Frontier
  #at: string
  /** Which waypoints are deleted, among those that these entries delete or restore. */
  readonly #deleted = new Map<number, boolean>()
  /** Lost fields that no redaction names so far, by the id of the entry. */
  readonly #open = new Map<number, Set<string>>()
  /** The newest entries that lost texts which no later entry replaced. */
  readonly #inForce = new Map<string, { readonly id: number; readonly field: string }>()

  /** @internal Created by `registry.mirror.preview()`. */
  constructor(
    state: Omit<LogState, 'totals'>,
    holes: readonly OpenHole[],
    now: Date,
    isDeletedHere: (waypointId: number) => Promise<boolean>,
  ) {
    this.#now = now.getTime()
    this.#isDeletedHere = isDeletedHere
    this.#frontier = new Frontier(state.size, state.peaks)
    this.#at = state.headAt ?? ''
    for (const { id, subject, subjectId, field, isLast } of holes) {
      this.#lose({ id, subject, subjectId }, field)
      if (!isLast) this.#inForce.delete(place(subject, subjectId, field))
    }
  }

  /** The head of the entries here and the added ones. */
  get head(): Head {
    return { id: this.#frontier.size, hash: this.#frontier.root() }
  }

  /** Whether something is missing that no redaction names so far. */
  get isOpen(): boolean {
    return this.#open.size > 0
  }

  /**
   * Checks the next entry.
   *
   * @throws RegistryError CHAIN_BROKEN `{ id }` when it does not follow, or no registry could have made it
   */
  add(given: unknown): GivenEntry {
    const entry = wellFormed(given, this.#frontier.size + 1)
    const { id, at, fields, seed, salts, commitments } = entry
    mustBeWellMade(entry, { next: this.#frontier.size + 1, now: this.#now })
    if (at < this.#at) throw broken(id, 'it is older than the entry before it')
    const hole = salts && commitments && { salts, commitments }
    const data = leafData(entry as Entry, digestOf({ fields, seed, hole }))
    if (Buffer.byteLength(data) > longestLeaf) throw broken(id, `it needs more than ${longestLeaf} bytes`)
    this.#frontier.append(leafHash(data))
    this.#at = at
    this.#note(entry)
    return entry
  }

  /**
   * Checks the end: all entries lead to a head, and lost fields were redacted and are no longer in force.
   *
   * @throws RegistryError CHAIN_BROKEN `{ id }`
   */
  async end(head: Head): Promise<void> {
    const { id: size, hash } = this.head
    if (size !== head.id || hash !== head.hash)
      throw broken(head.id, `the entries lead to ${size}:${hash}, not to the head ${head.id}:${head.hash}`)
    for (const [id, fields] of this.#open)
      throw broken(id, `it has no ${[...fields].join(', ')}, and no later entry redacts it`)
    for (const [where, { id, field }] of this.#inForce) {
      const isGone = isOfPosition(field) && (await this.#isDeleted(Number(where.split(' ')[1])))
      if (!isGone) throw broken(id, `its ${field} was redacted while it is still in force`)
    }
  }

  async #isDeleted(waypointId: number): Promise<boolean> {
    return this.#deleted.get(waypointId) ?? this.#isDeletedHere(waypointId)
  }

  /** Records facts for the checks of later entries. */
  #note(entry: GivenEntry): void {
    const { subject, subjectId, action, fields, commitments = {}, links } = entry
    if (subject === 'entry') this.#cover(Number(subjectId), namesOf(entry as Entry))
    if (this.#inForce.size > 0)
      for (const name of Object.keys(fields)) this.#inForce.delete(place(subject, subjectId, name))
    for (const name of Object.keys(commitments)) this.#lose(entry, name)
    if (subject === 'review' && action === 'deleted')
      for (const name of reviewTexts) this.#inForce.delete(place(subject, subjectId, name))
    const isRestored = action === 'created' && links.restores !== undefined
    if (subject === 'waypoint' && (action === 'deleted' || isRestored))
      this.#deleted.set(Number(subjectId), !isRestored)
  }

  #cover(target: number, names: readonly string[]): void {
    const open = this.#open.get(target)
    if (open === undefined) return
    for (const name of names) open.delete(name)
    if (open.size === 0) this.#open.delete(target)
  }

  #lose({ id, subject, subjectId }: Pick<GivenEntry, 'id' | 'subject' | 'subjectId'>, field: string): void {
    const open = this.#open.get(id) ?? new Set()
    this.#open.set(id, open.add(field))
    if (isKept(subject, field)) this.#inForce.set(place(subject, subjectId, field), { id, field })
  }
}

/** @throws RegistryError CHAIN_BROKEN `{ id }` */
function wellFormed(given: unknown, next: number): GivenEntry {
  try {
    return parseForeign(LoggedEntry, given)
  } catch (error) {
    if (error instanceof RegistryError) throw broken(next, error.message)
    throw error
  }
}
