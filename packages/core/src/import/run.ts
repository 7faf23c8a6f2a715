import { token, userIdOf, type TokenActor } from '../actor.ts'
import type { Writer, Transaction } from '../writer.ts'
import type { Occasion } from '../decide/contributor.ts'
import {
  importAgain,
  importedValues,
  importLink,
  importNew,
  noFields,
  rememberedValues,
  type ClosedFields,
  type ImportDecision,
  type ImportedValues,
} from '../decide/import.ts'
import { deleteWaypoint } from '../decide/waypoint.ts'
import { RegistryError } from '../errors.ts'
import { missingRows, unseenRecords } from './missing.ts'
import type { ImportFile, ImportOptions, MissingRow, MissingRows } from './options.ts'
import { recordOf, recordsByRef, refsOf, type RecordsByRef } from './records.ts'
import type { ImportOutcome, ImportRow } from './row.ts'
import { parse } from '../schemas/parse.ts'
import { SourceInput } from '../schemas/source.ts'
import { dropDeferredIndexes } from '../store/sqlite/connection/deferred-indexes.ts'
import { redactions, type RedactedFields } from '../store/sqlite/nouns/redactions.ts'
import { sourceReads } from '../store/sqlite/nouns/sources.ts'
import { stateReads } from '../store/sqlite/nouns/state.ts'
import {
  sourceRows,
  type ImportRow as ImportRecordRow,
  type SourceRecord,
  type SourceRows,
} from '../store/sqlite/nouns/source-records.ts'
import { WaypointInput } from '../schemas/waypoint.ts'

/** What is needed to apply a row. */
interface Accepted {
  readonly decision: ImportDecision
  readonly record: SourceRecord | undefined
  readonly input: WaypointInput
  readonly closed: ClosedFields
}

/** What is looked up once for all rows of a batch. */
interface LookedUp {
  readonly records: RecordsByRef
  readonly redacted: RedactedFields
}

/** A row with its outcome; refused rows have nothing to apply. */
interface DecidedRow {
  readonly outcome: ImportOutcome
  readonly accepted?: Accepted
}

/** The number of waypoints from which a first import defers indexes; below it there is nothing to gain. */
const many = 5000

/** A run of an import: rows are decided like single requests and applied in batches. */
export class ImportRun {
  readonly #writer: Writer
  readonly #rows: SourceRows
  readonly #source: SourceInput
  readonly #file: ImportFile | undefined
  readonly #actor: TokenActor
  readonly #approved: boolean
  readonly #repeated: boolean
  readonly #isFirst: boolean
  #id: number | undefined
  #sourceId: number | undefined
  #startedAt: string
  #prefetched: RecordsByRef = new Map()
  /** The checkpoint of the last batch that was applied, where an unfinished run continues. */
  readonly checkpoint: unknown

  /** @internal Created by the registry. */
  constructor(writer: Writer, options: ImportOptions) {
    this.#writer = writer
    this.#rows = sourceRows(writer.statements)
    this.#source = parse(SourceInput, options.source)
    this.#file = options.file
    this.#actor = options.actor ?? token()
    this.#approved = options.approved ?? true
    this.#startedAt = writer.now()
    this.#sourceId = sourceReads(writer.statements).byName(this.#source.name)?.id
    this.#isFirst = stateReads(writer.statements).statistics().totalContributions === 0
    const finished = this.#last(true)
    this.#repeated =
      options.recheck !== true &&
      finished !== undefined &&
      finished.fileSha256 !== null &&
      finished.fileSha256 === options.file?.sha256
    const open = options.resume === true ? this.#last(false) : undefined
    if (open !== undefined && open.fileSha256 === (options.file?.sha256 ?? null)) {
      this.#id = open.id
      this.#startedAt = open.startedAt
      this.checkpoint = open.checkpoint === null ? undefined : JSON.parse(open.checkpoint)
    }
  }

  /** Whether the last finished import of this source read the same file, byte for byte. */
  get repeated(): boolean {
    return this.#repeated
  }

  /** Whether the run continues an interrupted one. */
  get resumed(): boolean {
    return this.checkpoint !== undefined
  }

  /**
   * The values of a reference at the last import of this source, without what was redacted since; undefined for a
   * new reference.
   */
  known(ref: string): { readonly waypointId: number; readonly values: Partial<ImportedValues> } | undefined {
    if (this.#sourceId === undefined) return undefined
    const record = this.#prefetched.get(ref)
    return record === undefined ? this.#rows.record(this.#sourceId, ref) : (record ?? undefined)
  }

  /**
   * Looks up many references in one query, for calls of `known` before the next batch is applied.
   */
  prefetch(refs: readonly string[]): void {
    this.#prefetched = recordsByRef(this.#rows, this.#sourceId, refs)
  }

  /** A dry run of `apply`: writes nothing. New waypoints have no id yet. */
  decide(rows: readonly ImportRow[]): ImportOutcome[] {
    const at = this.#writer.now()
    const occasion = this.#occasion(at)
    const lookedUp = this.#lookUp(rows)
    return rows.map((row) => {
      const { outcome } = this.#decideRow(row, lookedUp, occasion, 0)
      const { waypointId: _notYet, ...rest } = outcome
      return outcome.kind === 'created' ? rest : outcome
    })
  }

  /**
   * Decides rows and writes them with their log entries and the checkpoint in one immediate transaction. When it
   * throws, the whole batch is rolled back.
   *
   * @param checkpoint JSON from which the importer can continue after this batch
   */
  apply(
    rows: readonly ImportRow[],
    checkpoint?: unknown,
    counts: Readonly<Record<string, number>> = {},
  ): ImportOutcome[] {
    return this.#undoing((transaction) => {
      const { at, write, counters } = transaction
      const { id, sourceId } = this.#begin(transaction)
      const occasion = this.#occasion(at)
      const lookedUp = this.#lookUp(rows)
      const { records } = lookedUp
      this.#prefetched.clear()
      if (this.#isFirst && counters.lastWaypointId >= many) dropDeferredIndexes(this.#writer.statements)
      const outcomes = write.inBulk(counters, () =>
        this.#rows.inBulk(() =>
          rows.map((row) => {
            const { outcome, accepted } = this.#decideRow(
              row,
              lookedUp,
              occasion,
              counters.lastWaypointId + 1,
            )
            if (accepted === undefined) return outcome
            const logged = write.apply(accepted.decision.effects, counters)
            this.#remember(sourceId, row, accepted, logged)
            const { record } = accepted
            // Later rows must find the record that this row wrote, by its reference and by the one it replaced.
            for (const ref of [row.ref, record?.ref]) if (typeof ref === 'string') records.delete(ref)
            return outcome
          }),
        ),
      )
      const kept = checkpoint === undefined ? null : JSON.stringify(checkpoint)
      this.#rows.updateImport({ id, at, checkpoint: kept, counts: JSON.stringify(counts) })
      return outcomes
    })
  }

  /**
   * Rows of this source that the file no longer has, which `finish` marks or removes. Before the last batch is
   * applied they include rows that are still to come.
   */
  *missing(): Generator<MissingRow> {
    if (this.#sourceId === undefined || this.#repeated) return
    const { userId } = this.#occasion(this.#startedAt).contributor
    const seen = { sourceId: this.#sourceId, startedAt: this.#startedAt, userId }
    yield* missingRows(this.#writer, this.#rows, seen)
  }

  /**
   * Ends this process's part of a run that is to be resumed: creates the indexes that the first import of a registry
   * defers. Call it when `finish` is not called; otherwise they are created when the registry is opened again.
   */
  pause(): void {
    this.#writer.connection.createDeferredIndexes()
  }

  /**
   * Finishes the run: records its counts, and marks or removes what the source no longer lists. Pass `missing: 'keep'`
   * when only part of the file was read.
   *
   * @returns how many waypoints were marked and removed
   */
  finish(options: { readonly counts: Readonly<Record<string, number>>; readonly missing: MissingRows }): {
    marked: number
    removed: number
  } {
    const ended = this.#undoing((transaction) => {
      const { at, write, counters, load } = transaction
      const { id, sourceId } = this.#begin(transaction)
      const occasion = this.#occasion(at)
      let marked = 0
      let removed = 0
      if (options.missing !== 'keep') {
        const seen = { sourceId, startedAt: this.#startedAt }
        for (const row of Array.from(this.missing())) {
          for (const record of unseenRecords(this.#rows, seen, row)) this.#rows.markMissing(record.id, at)
          const waypoint =
            options.missing === 'remove' && row.removable ? load.waypoint(row.waypointId) : undefined
          if (waypoint === undefined || waypoint.deletedAt !== undefined) marked++
          else {
            write.apply(deleteWaypoint(occasion, waypoint), counters)
            removed++
          }
        }
      }
      const counts = JSON.stringify({ ...options.counts, marked, removed })
      this.#rows.finishImport({ id, at, counts })
      return { marked, removed }
    })
    this.pause()
    return ended
  }

  #last(finished: boolean): ImportRecordRow | undefined {
    return this.#sourceId === undefined ? undefined : this.#rows.lastImport(this.#sourceId, finished)
  }

  #occasion(at: string): Occasion {
    const { id, xp, isModerator } = this.#writer.load.contributor(userIdOf(this.#actor) ?? '')
    return { rules: this.#writer.rules, contributor: { kind: 'token', userId: id, xp, isModerator }, at }
  }

  /** Runs a write of this run. When it throws, the id of a run that it inserted is forgotten. */
  #undoing<Result>(write: (transaction: Transaction) => Result): Result {
    const id = this.#id
    try {
      return this.#writer.transact(write)
    } catch (error) {
      this.#id = id
      throw error
    }
  }

  #begin({ at }: Transaction): { id: number; sourceId: number } {
    this.#sourceId = this.#rows.ensure(this.#source, at, () => {})
    this.#id ??= this.#rows.insertImport({
      sourceId: this.#sourceId,
      fileName: this.#file?.name ?? null,
      fileSha256: this.#file?.sha256 ?? null,
      fileBytes: this.#file?.bytes ?? null,
      at: this.#startedAt,
    })
    return { id: this.#id, sourceId: this.#sourceId }
  }

  #lookUp(rows: readonly ImportRow[]): LookedUp {
    return {
      records: recordsByRef(this.#rows, this.#sourceId, refsOf(rows)),
      redacted: redactions(this.#writer.statements).redactedFields(),
    }
  }

  #decideRow(
    row: ImportRow,
    { records, redacted }: LookedUp,
    occasion: Occasion,
    nextId: number,
  ): DecidedRow {
    const refused = (reason: string): DecidedRow => ({
      outcome: { row: row.row, kind: 'refused', fields: [], conflicts: [], withheld: [], reason },
    })
    let input: WaypointInput
    try {
      input = parse(WaypointInput, row.input)
    } catch (error) {
      if (error instanceof RegistryError) return refused(error.message)
      throw error
    }
    const { addedByUserId } = input
    if (addedByUserId !== undefined && this.#writer.load.user(addedByUserId) === undefined)
      return refused('addedByUserId names no user of this registry')
    const from = { sourceId: this.#sourceId, startedAt: this.#startedAt }
    const record = recordOf(this.#rows, from, row, records)
    const targetId = record?.waypointId ?? row.mergeInto
    const target = targetId === undefined ? undefined : this.#writer.load.waypoint(targetId)
    if (targetId !== undefined && target === undefined)
      return refused(`there is no waypoint ${targetId} to merge with`)
    const closed = redacted.get(targetId ?? nextId) ?? noFields
    const decision =
      target === undefined
        ? importNew(occasion, nextId, {
            ...input,
            approved: this.#approved ? (input.approved ?? true) : undefined,
          })
        : record === undefined
          ? importLink(occasion, target, importedValues(input), closed)
          : importAgain(occasion, target, record.values, importedValues(input), closed)
    const { kind, waypointId, fields, conflicts, withheld } = decision
    const outcome: ImportOutcome = { row: row.row, kind, waypointId, fields, conflicts, withheld }
    return { outcome, accepted: { decision, record, input, closed } }
  }

  /** @param logged the changes in the row's log entry, if it has one */
  #remember(
    sourceId: number,
    row: ImportRow,
    { decision, record, input, closed }: Accepted,
    logged: string | undefined,
  ): void {
    const at = this.#startedAt
    const sameText = decision.asLogged === true ? logged : undefined
    const text = sameText ?? JSON.stringify(rememberedValues(importedValues(input), closed))
    const ref = row.ref ?? record?.ref ?? null
    const state = row.state ?? null
    if (record === undefined) {
      this.#rows.insertRecord({ sourceId, ref, waypointId: decision.waypointId, values: text, at, state })
    } else if (!this.#repeated || decision.kind !== 'unchanged' || state !== record.state) {
      this.#rows.updateRecord({ id: record.id, ref, values: text, at, state })
    }
  }
}
