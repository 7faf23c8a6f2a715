import { z } from 'zod'
import { canonicalJson, digestOf, hashOf, SealedEntry, type Head } from './log/entry.ts'
import type { Writer, Transaction } from './writer.ts'
import { redactedName } from './decide/redaction.ts'
import { replay } from './log/replay.ts'
import { RegistryError } from './errors.ts'
import { parse } from './schemas/parse.ts'
import { WaypointSource } from './schemas/source.ts'
import { changeReads } from './store/sqlite/nouns/changes.ts'
import { redactions } from './store/sqlite/nouns/redactions.ts'
import { sourceRows } from './store/sqlite/nouns/source-records.ts'
import { userWrites } from './store/sqlite/nouns/users.ts'
import { published, Waypoint, type WaypointState } from './schemas/waypoint.ts'

/** A user whose actions are in a mirrored log. Their XP and reviews are not mirrored. */
export const MirroredPerson = z.object({
  id: z.string().min(1),
  name: z.string().min(1),
  createdAt: z.iso.datetime(),
})
export type MirroredPerson = z.infer<typeof MirroredPerson>

/** The sources of a waypoint in the mirrored registry. */
export const MirroredSources = z.object({ waypointId: z.int().positive(), sources: z.array(WaypointSource) })
export type MirroredSources = z.infer<typeof MirroredSources>

/** Entries of another registry's log, with the people and sources that they need. */
const MirrorBatch = z.object({
  entries: z.array(SealedEntry),
  people: z.array(MirroredPerson).default([]),
  sources: z.array(MirroredSources).default([]),
})
export type MirrorBatch = z.input<typeof MirrorBatch>

/** Follows the log of another registry, entry by entry, as long as it continues the log here. */
export class Mirror {
  readonly #writer: Writer

  /** @internal Created by the registry. */
  constructor(writer: Writer) {
    this.#writer = writer
  }

  /** The ids of users in these entries that are not in this registry, each once. `follow` needs their names. */
  unknownPeople(entries: readonly Pick<SealedEntry, 'userId' | 'changes'>[]): string[] {
    const named = entries.flatMap(({ userId, changes: { addedByUserId } }) =>
      typeof addedByUserId === 'string' ? [userId, addedByUserId] : [userId],
    )
    return [...new Set(named)].filter((id) => this.#writer.load.user(id) === undefined)
  }

  /**
   * Appends entries to the log and replays them, in one transaction. Every entry must continue the chain, and its
   * changes must match its digest, unless it is redacted.
   *
   * @returns the new head
   * @throws RegistryError CHAIN_BROKEN with the id of the first entry that does not fit, INVALID_INPUT when an
   * entry is malformed or a person is missing
   */
  follow(batch: MirrorBatch): Head {
    const { entries, people, sources } = parse(MirrorBatch, batch)
    this.#writer.transact((transaction) => {
      if (entries.length === 0) transaction.noChange()
      this.#admit(people, transaction)
      transaction.write.inBulk(transaction.counters, () => {
        for (const entry of entries) this.#append(entry, transaction)
      })
      for (const each of sources) this.#attribute(each, transaction)
    })
    return changeReads(this.#writer.statements).head()
  }

  /**
   * Removes the text of an entry that the other registry redacted since it was mirrored.
   *
   * @returns whether there was text to remove
   * @throws RegistryError CHAIN_BROKEN when the entry differs from the one here
   */
  redact(given: SealedEntry): boolean {
    const entry = parse(SealedEntry, given)
    const [here] = changeReads(this.#writer.statements).sealed(entry.id - 1, 1)
    if (here?.hash !== entry.hash) throw broken(entry.id, 'it is not the same entry as here')
    const { redacted } = entry
    if (!redacted || redacted.fields.every((field) => here.redacted?.fields.includes(field))) return false
    this.#writer.transact(() => {
      redactions(this.#writer.statements).remove(here, redacted.fields, redacted.reason, redacted.timestamp)
    })
    return true
  }

  #admit(people: readonly MirroredPerson[], { load, counters }: Transaction): void {
    const { insert } = userWrites(this.#writer.statements)
    for (const { id, name, createdAt } of people) {
      if (load.user(id) !== undefined) continue
      insert({ id, name, email: null, isModerator: 0, at: createdAt })
      counters.users++
    }
  }

  #append(entry: SealedEntry, transaction: Transaction): void {
    const { counters, load, write } = transaction
    if (entry.id !== counters.headId + 1)
      throw broken(entry.id, `entry ${counters.headId + 1} is expected next`)
    if (hashOf(counters.headHash, entry.id, entry, entry.digest) !== entry.hash) {
      throw broken(entry.id, `its hash does not follow from entry ${counters.headId}`)
    }
    if (entry.redacted === undefined) {
      const sealed =
        entry.salt !== null && digestOf(entry.salt, canonicalJson(entry.changes)) === entry.digest
      if (!sealed) throw broken(entry.id, 'its changes do not match its digest')
    }
    const before = load.waypoint(entry.bubblerId)
    write.putWaypoint({ before, after: this.#replayed(before, entry) }, counters)
    write.appendSealed(entry, counters)
    const { redacted } = entry
    if (redacted) {
      write.flush()
      redactions(this.#writer.statements).remove(entry, redacted.fields, redacted.reason, redacted.timestamp)
    }
  }

  #replayed(before: WaypointState | undefined, entry: SealedEntry): WaypointState {
    let after: WaypointState
    try {
      after = replay(before, entry)
    } catch (error) {
      throw broken(entry.id, error instanceof Error ? error.message : 'it cannot be replayed')
    }
    // A redaction may have removed the name; a later entry has its replacement.
    const state = after.name === undefined && entry.redacted ? { ...after, name: redactedName } : after
    const { error } = Waypoint.safeParse(published(state))
    if (error) throw broken(entry.id, `it results in an invalid waypoint: ${z.prettifyError(error)}`)
    return state
  }

  #attribute({ waypointId, sources }: MirroredSources, { at }: Transaction): void {
    const rows = sourceRows(this.#writer.statements)
    for (const source of sources) {
      const { name, url, license, attribution, ref = null, lastSeen, state = null } = source
      const given = {
        name,
        license,
        ...(url !== undefined && { url }),
        ...(attribution !== undefined && { attribution }),
      }
      const sourceId = rows.ensure(given, at, () => {})
      const known = rows.recordsOf(sourceId, waypointId).find((record) => record.ref === ref)
      // The source's own values stay in the registry that imported it.
      const record = { ref, values: '{}', at: lastSeen, state }
      if (known) rows.updateRecord({ id: known.id, ...record })
      else rows.insertRecord({ sourceId, waypointId, ...record })
    }
  }
}

function broken(id: number, reason: string): RegistryError {
  return new RegistryError('CHAIN_BROKEN', `Entry ${id} does not continue the log here: ${reason}`, {
    id,
  })
}
