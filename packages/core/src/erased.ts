import { randomBytes } from 'node:crypto'
import { leaveAgain } from './decide/account.ts'
import { redactAgain } from './decide/redaction.ts'
import { eraseReport } from './decide/report.ts'
import { deletePhotoAgain } from './decide/photo.ts'
import {
  listed,
  listText,
  type ErasedAgain,
  leavingOf,
  lossHash,
  lossOf,
  photoErasureOf,
  reportErasureOf,
  type Erasure,
} from './erasures.ts'
import { RegistryError, type Remains } from './errors.ts'
import type { StoredReport } from './log/nouns.ts'
import { pagesOf } from './paged.ts'
import { pauseDeliveries } from './decide/webhook.ts'
import { hashesFor } from './pseudonyms.ts'
import { knownOptions } from './schemas/parse.ts'
import { reportStates } from './schemas/report.ts'
import { Part, type Shared } from './shared.ts'
import type { Leftover, Store } from './store/port.ts'
import type { Reads } from './store/reads.ts'

interface RepetitionOptions {
  /** `renew` when entries may be lost, so that readers and mirrors notice; `keep` else, or when it was renewed already. */
  readonly origin: 'renew' | 'keep'
}

export interface RepeatedErasures extends ErasedAgain {
  readonly originRenewed: boolean
  /** Where the texts still are, but go by themselves; absent when they are nowhere. */
  readonly leftovers?: readonly Remains[]
}

/** Lists of erasures, for erasing again in a restored older backup. They contain none of the erased text. */
export class Erasures extends Part {
  /**
   * All erasures up to now, one line each: the entry's id, the field and a hash, or a hash of a person or a report.
   * Store it apart from the database.
   *
   * @param earlier lists to extend, such as the replaced one
   * @throws RegistryError INVALID_INPUT for another text
   */
  async list(earlier = ''): Promise<string> {
    const { store, erasures } = this.shared
    const known = await erasuresOf(store.read)
    return listText([...listed(earlier), ...(erasures?.read() ?? []), ...known])
  }

  /**
   * Repeats erasures in a registry that was restored from an older backup. Entries of another history are left alone.
   *
   * @param text a list, as `list` returns it, or the file beside a SQLite database
   * @throws RegistryError INVALID_INPUT for another text, STORAGE_NOT_ERASED `{ leftovers }`: repeat it then
   */
  async repeat(text: string, options: RepetitionOptions): Promise<RepeatedErasures> {
    const { origin } = knownOptions(options, ['origin'])
    const { store, erasures: list, report } = this.shared
    const erasures = listed(text)
    await list?.addAll(erasures)
    const originRenewed = origin === 'renew'
    // First, so that the entries that follow are not mistaken for lost ones.
    if (originRenewed) await store.renewOrigin(randomBytes(16).toString('hex'))
    await store.write({ decide: pauseDeliveries })
    const { leftovers, ...again } = await eraseAgain(store, erasures)
    const { id: head } = await store.read.entries.head()
    if (originRenewed) report('registry.restored', { head })
    return { ...again, originRenewed, ...(leftovers.length > 0 && { leftovers }) }
  }
}

interface ErasureReads {
  readonly entries: Pick<Reads['entries'], 'losses'>
  readonly users: Pick<Reads['users'], 'former'>
  readonly reports: Pick<Reads['reports'], 'erased'>
  readonly photos: Pick<Reads['photos'], 'deleted'>
}

export async function erasuresOf({ entries, users, reports, photos }: ErasureReads): Promise<Erasure[]> {
  const losses = await entries.losses()
  const [former, erased] = [await users.former(), await reports.erased()]
  const gone = (await photos.deleted()).map(photoErasureOf)
  return [...losses.map(lossOf), ...former.map(leavingOf), ...erased.map(reportErasureOf), ...gone]
}

const reason = 'erased before this backup was restored'

/** Repeats erasures in a restored registry. @throws RegistryError STORAGE_NOT_ERASED `{ leftovers }` @internal */
export async function eraseAgain(
  store: Store,
  erasures: readonly Erasure[],
): Promise<ErasedAgain & { readonly leftovers: readonly Remains[] }> {
  const byEntry = Map.groupBy(erasures, ({ id }) => id)
  const hashesOf = (field: string): ReadonlySet<string> =>
    new Set(byEntry.get(0)?.flatMap((each) => (each.field === field ? [each.hash] : [])))
  const erased = new Set<number>()
  let deletedPhotos = 0
  for (const [id, of] of byEntry) {
    const entry = await store.read.entries.get(id)
    if (entry === undefined) continue
    const { leaf } = entry
    if (entry.subject === 'photo' && of.some(({ hash }) => hash === photoErasureOf(entry).hash))
      deletedPhotos += await store.write({ decide: () => deletePhotoAgain(id, reason) })
    const fields = of
      .filter(({ field, hash }) => field in entry.fields && lossHash({ leaf, field }) === hash)
      .map(({ field }) => field)
    if (fields.length === 0) continue
    const { entries } = await store.write({ decide: () => redactAgain({ id, leaf, fields }, reason) })
    for (const each of entries) erased.add(each)
  }
  const erasedReports = await reportsErasedAgain(store, hashesOf('report'))
  const left = await leftAgain(store, hashesOf('left'))
  const isChanged = erased.size + erasedReports + left + deletedPhotos > 0
  const leftovers = isChanged ? passing(await store.scrub()) : []
  return { erased: erased.size, erasedReports, left, deletedPhotos, leftovers }
}

const pageSize = 500

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

/** @param found what holds it, for the message; default the general one. @throws RegistryError STORAGE_NOT_ERASED for others */
function passing(leftovers: readonly Leftover[], found?: string): readonly Remains[] {
  if (leftovers.every(({ isPassing }) => isPassing === true))
    return leftovers.map(({ place, remedy }) => ({ place, remedy }))
  const places = leftovers.map(({ place, remedy }) => `${place}: ${remedy}`)
  const message = found === undefined ? undefined : `${found}${places.join('; ')}`
  throw new RegistryError('STORAGE_NOT_ERASED', message, { leftovers: [...leftovers] })
}

/** Lists erasures, and removes every trace of erased texts. @throws RegistryError STORAGE_NOT_ERASED @internal */
export async function scrubbed({ store, erasures }: Shared): Promise<readonly Remains[]> {
  const losses = await store.read.entries.losses()
  await erasures?.addAll(losses.map(lossOf))
  return passing(await store.scrub(), 'The text is removed from the registry, but is still held by ')
}
