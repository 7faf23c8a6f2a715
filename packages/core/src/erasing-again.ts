import { leaveAgain } from './decide/leaving.ts'
import { redactAgain } from './decide/redaction.ts'
import { eraseReport } from './decide/report.ts'
import { leavingOf, lossHash, lossOf, reportErasureOf, type ErasedAgain, type Erasure } from './erasures.ts'
import { RegistryError } from './errors.ts'
import { reportStates } from './schemas/report.ts'
import type { StoredReport } from './log/nouns.ts'
import { pagesOf } from './paged.ts'
import { hashesFor } from './pseudonyms.ts'
import type { Leftover, Store } from './store/port.ts'
import type { Reads } from './store/reads.ts'

/** Reads of erasures. */
interface ErasureReads {
  readonly entries: Pick<Reads['entries'], 'losses'>
  readonly users: Pick<Reads['users'], 'former'>
  readonly reports: Pick<Reads['reports'], 'erased'>
}

/** All erasures in a registry, from its own data. */
export async function erasuresOf({ entries, users, reports }: ErasureReads): Promise<Erasure[]> {
  const losses = await entries.losses()
  const [former, erased] = [await users.former(), await reports.erased()]
  return [...losses.map(lossOf), ...former.map(leavingOf), ...erased.map(reportErasureOf)]
}

const reason = 'erased before this backup was restored'

/**
 * Repeats erasures in a registry that was restored from an older backup.
 *
 * @returns how many entries and reports lost text, and people left
 * @throws RegistryError STORAGE_NOT_ERASED `{ leftovers }` when a trace remains that does not disappear by itself
 *
 * @internal
 */
export async function eraseAgain(
  store: Store,
  erasures: readonly Erasure[],
): Promise<ErasedAgain & { readonly leftovers: readonly Leftover[] }> {
  const byEntry = Map.groupBy(erasures, ({ id }) => id)
  const hashesOf = (field: string): ReadonlySet<string> =>
    new Set(byEntry.get(0)?.flatMap((each) => (each.field === field ? [each.hash] : [])))
  const erased = new Set<number>()
  for (const [id, of] of byEntry) {
    const entry = await store.read.entries.get(id)
    if (entry === undefined) continue
    const { leaf } = entry
    const fields = of
      .filter(({ field, hash }) => field in entry.fields && lossHash({ leaf, field }) === hash)
      .map(({ field }) => field)
    if (fields.length === 0) continue
    const { entries } = await store.write({ decide: () => redactAgain({ id, leaf, fields }, reason) })
    for (const each of entries) erased.add(each)
  }
  const erasedReports = await reportsErasedAgain(store, hashesOf('report'))
  const left = await leftAgain(store, hashesOf('left'))
  const isChanged = erased.size + erasedReports + left > 0
  const leftovers = isChanged ? await store.scrub() : []
  if (leftovers.some(({ isPassing }) => isPassing !== true))
    throw new RegistryError('STORAGE_NOT_ERASED', undefined, { leftovers: [...leftovers] })
  return { erased: erased.size, erasedReports, left, leftovers }
}

const pageSize = 500

/** Erases the texts of reports again. @returns how many */
async function reportsErasedAgain(store: Store, erased: ReadonlySet<string>): Promise<number> {
  if (erased.size === 0) return 0
  const found: string[] = []
  for (const state of reportStates)
    for await (const page of pagesOf<StoredReport>(pageSize, (last) =>
      store.read.reports.list(state, { after: last?.number ?? 0, limit: pageSize }),
    ))
      for (const { id, comment, note } of page)
        if ((comment ?? note) !== undefined && erased.has(reportErasureOf(id).hash)) found.push(id)
  for (const id of found) await store.write({ decide: (at) => eraseReport(at, id) })
  return found.length
}

/** Repeats the leaving of people who left since a copy was made. @returns how many */
async function leftAgain(store: Store, former: ReadonlySet<string>): Promise<number> {
  if (former.size === 0) return 0
  const { users } = store.read
  const back: string[] = []
  for (let offset = 0; ; offset += pageSize) {
    const page = await users.list({ limit: pageSize, offset })
    for (const { id } of page) if (former.has(leavingOf(id).hash)) back.push(id)
    if (page.length < pageSize) break
  }
  const barredKeyOf = await hashesFor('barred', store)
  for (const id of back) await store.write({ decide: (at) => leaveAgain(at, id, barredKeyOf) })
  return back.length
}
