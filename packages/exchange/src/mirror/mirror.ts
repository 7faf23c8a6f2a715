import { RegistryError, token, type Head, type Registry } from '@openfountain/core'
import type { MirroredPerson, MirrorPreview } from '@openfountain/core/internal'
import { isConsistent } from '@openfountain/tlog'
import { type Watch, type Watching, watchOf } from './checkpoints.ts'
import { Instance, type InstanceOptions } from './instance.ts'
import { forgetFormer, namesOf } from './people.ts'
import { Spool } from './spool.ts'

export interface MirrorOptions extends InstanceOptions {
  /** Watches the checkpoints of its log. Default not. */
  readonly watching?: Watching | undefined
  readonly onProgress?: ((progress: MirrorProgress) => void) | undefined
}

export interface MirrorProgress {
  /** Entries of the log that the copy has, or that are downloaded and checked. */
  readonly done: number
  /** Entries of the log that the instance has. */
  readonly total: number
}

export interface MirrorReport {
  readonly from: Head
  readonly head: Head
  readonly entries: number
  /** How many of these were redactions. */
  readonly redacted: number
  /** People whose names were removed, since they have left the instance. */
  readonly left: number
  /** How many entries the last cosigned checkpoint has. Undefined without a key. */
  readonly cosigned?: number | undefined
  /** Files of photos that were fetched, and those that are not shown there. Undefined where no photos are kept. */
  readonly photos?: Readonly<Record<'fetched' | 'missing', number>> | undefined
}

export type KnownHead = Pick<Head, 'id' | 'hash'>

interface FollowOptions extends MirrorOptions {
  readonly known?: KnownHead | undefined
  /** Says how far the log is signed; nothing after that is followed. */
  readonly watch?: Watch | undefined
}

const pageSize = 500

/**
 * Builds or follows the copy of another instance's registry from its log over HTTP: waypoints with their sources, reviews,
 * areas, people with their names and XP, and redactions; people who have left there have no name here. All new entries are
 * downloaded to the temporary folder and checked before any is taken over: that they continue the copy, lead to the head
 * that the instance publishes, and are such as a local write could have made. An interrupted copy is continued.
 *
 * @param registry an empty registry, or an earlier copy of the same one
 * @throws {RegistryError} CHAIN_BROKEN with `id`, the first entry that differs or cannot be taken over; and when the
 * instance's history is not the one that was copied, `reason`: ENTRY_MISSING, ENTRY_DIFFERS, LOG_SHORTER or HEAD_DIFFERS.
 * INVALID_INPUT for a malformed address; STORAGE_NOT_ERASED when all entries were taken over, but traces of redacted text
 * remain
 * @throws {InstanceError} when the instance cannot be reached or returns something else, with `code` and facts
 */
export async function mirrorRegistry(
  url: string,
  registry: Registry,
  options: MirrorOptions = {},
): Promise<MirrorReport> {
  const instance = new Instance(url, options)
  const { watching } = options
  const watch = watching && watchOf(registry, instance, watching)
  const report = await followed(instance, registry, { ...options, watch })
    .then(async (done) => ({ ...done, cosigned: await watch?.end() }))
    .catch(async (error: unknown) => {
      throw watch ? await watch.refusal(error) : error
    })
  const left = await forgetFormer(instance, registry, options.signal)
  const credits = await followedCredits(instance, registry)
  const photos = registry.photos.areKept ? await followedPhotos(instance, registry) : undefined
  // Redacted texts and names are still in the file's free pages and indexes.
  if (report.redacted + left + credits > 0) await registry.changes.scrub()
  return { ...report, left, photos }
}

/** Takes over the names under photos. @returns how many were replaced */
async function followedCredits(instance: Instance, { mirror, photos }: Registry): Promise<number> {
  // An instance without photos may be too old to list them.
  if ((await photos.list({ limit: 1 }, token())).length === 0) return 0
  let replaced = 0
  for (let after: number | undefined = 0; after !== undefined;) {
    const page = await instance.authorsAfter(after)
    replaced += await mirror.credit(page)
    after = page.at(99)?.id
  }
  return replaced
}

/** Fetches the files of photos that are not here, and deletes those that no photo has any more. */
async function followedPhotos(instance: Instance, { photos }: Registry): Promise<MirrorReport['photos']> {
  let [fetched, missing] = [0, 0]
  await photos.sweep(0)
  for await (const sha256 of photos.files()) {
    if (await photos.hasFile(sha256)) continue
    const bytes = await instance.photo(sha256)
    if (bytes === undefined) missing++
    else {
      await photos.putFile(sha256, bytes)
      fetched++
    }
  }
  return { fetched, missing }
}

/** Takes over the new entries of an instance. @throws the same as `mirrorRegistry` */
export async function followed(
  instance: Instance,
  registry: Registry,
  options: FollowOptions,
): Promise<Omit<MirrorReport, 'left' | 'photos' | 'cosigned'>> {
  const from = await registry.changes.head()
  const { known, watch } = options
  const signed = await watch?.head()
  const there = await instance.head()
  if (known !== undefined && known.id > there.id) throw unknownHead(known, 'LOG_SHORTER')
  if (known !== undefined && known.id <= from.id) mustBeKnown(known, await registry.changes.head(known.id))
  await mustContinue(instance, registry, from, there)
  if ((signed ?? there).id <= from.id) return { from, head: from, entries: 0, redacted: 0 }
  const spool = await Spool.create()
  const following = { instance, registry, spool, options }
  try {
    const people = await downloaded(following)
    // One page is taken over in one transaction; of several, none must be when a later one is refused.
    if (spool.size > pageSize) await registry.mirror.rehearse(spool.scratch, spool.pages(pageSize))
    const redacted = await takenOver(following, people)
    const head = await registry.changes.head()
    return { from, head, entries: head.id - from.id, redacted }
  } finally {
    await spool.remove()
  }
}

interface Following {
  readonly instance: Instance
  readonly registry: Registry
  readonly spool: Spool
  readonly options: FollowOptions
}

/** Downloads and checks all new entries. @returns the names of people who join in them */
async function downloaded(following: Following): Promise<ReadonlyMap<string, string>> {
  const { instance, registry, spool, options } = following
  const { onProgress, signal, known, watch = instance } = options
  const preview = await registry.mirror.preview()
  const people = new Map<string, string>()
  for (let goal = await watch.head(); ;) {
    const report = () => onProgress?.({ done: preview.head.id, total: goal.id })
    for (report(); preview.head.id < goal.id; report()) {
      signal?.throwIfAborted()
      const after = preview.head.id
      const { changes } = await instance.page(after, goal.id - after)
      if (changes.length === 0)
        throw rewritten(after + 1, 'ENTRY_MISSING', `the log ends at ${goal.id}, but has no such entry`)
      const entries = changes.map((change) => {
        const entry = preview.add(change)
        if (entry.id === known?.id) mustBeKnown(known, preview.head)
        return entry
      })
      await spool.add(entries)
      for (const [id, name] of await namesOf(instance, registry.mirror.newPeople(entries)))
        people.set(id, name)
    }
    await mustLeadTo(following, preview, goal)
    // Text redacted meanwhile is missing already, and its redaction is among the newest entries.
    const newer = preview.isOpen ? await watch.head() : goal
    if (newer.id <= goal.id) {
      await preview.end(goal)
      return people
    }
    goal = newer
  }
}

/** @returns how many of the entries are redactions */
async function takenOver(
  { registry, spool, options }: Following,
  people: ReadonlyMap<string, string>,
): Promise<number> {
  let redacted = 0
  for await (const page of spool.pages(pageSize)) {
    options.signal?.throwIfAborted()
    const joining = registry.mirror.newPeople(page).flatMap((id): MirroredPerson[] => {
      const name = people.get(id)
      return name === undefined ? [] : [{ id, name }]
    })
    await registry.mirror.follow(page, joining)
    redacted += page.filter(({ subject }) => subject === 'entry').length
  }
  return redacted
}

/** @throws {RegistryError} CHAIN_BROKEN unless a stored head is in the log */
function mustBeKnown(known: KnownHead, { hash }: Head): void {
  if (hash !== known.hash) throw unknownHead(known, 'HEAD_DIFFERS')
}

function unknownHead({ id, hash }: KnownHead, reason: Rewriting): RegistryError {
  return new RegistryError(
    'CHAIN_BROKEN',
    `The instance's log does not begin with the ${id} entries of the head that is known: it is ${reason === 'LOG_SHORTER' ? 'older' : 'another history'}. Nothing was changed here. Find a mirror that has them.`,
    { id, hash, reason },
  )
}

const treeOf = ({ id, hash }: Head) => ({ size: id, root: hash })

/** @throws {RegistryError} CHAIN_BROKEN unless the instance's log begins with all entries of the copy */
async function mustContinue(instance: Instance, registry: Registry, here: Head, there: Head): Promise<void> {
  if (there.id >= here.id) {
    const proof = here.id === 0 || here.id === there.id ? [] : await instance.consistency(here.id, there.id)
    if (isConsistent(treeOf(here), treeOf(there), proof)) return
  }
  const common = Math.min(here.id, there.id)
  const different = await firstDifference(common, instance, (size) => registry.changes.head(size))
  if (different === undefined && there.id < here.id)
    throw rewritten(there.id + 1, 'LOG_SHORTER', `its log ends at ${there.id}, the copy at ${here.id}`)
  if (different === undefined)
    throw rewritten(here.id, 'HEAD_DIFFERS', 'it cannot prove that its head continues the copy')
  const { origin } = await instance.page(different - 1, 1)
  const isOwn = origin === (await registry.changes.origin())
  throw rewritten(
    different,
    'ENTRY_DIFFERS',
    isOwn
      ? 'it now has another entry in its place'
      : 'it now has another entry in its place; perhaps it was restored from a backup, and has written since',
    { origin },
  )
}

/** @throws {RegistryError} CHAIN_BROKEN unless all entries lead to the head that the instance publishes */
async function mustLeadTo(
  { instance, registry, spool }: Following,
  preview: MirrorPreview,
  goal: Head,
): Promise<void> {
  if (preview.head.hash === goal.hash) return
  const headAt = async (size: number): Promise<Head> => {
    const again = await registry.mirror.preview()
    if (size <= again.head.id) return registry.changes.head(size)
    for await (const page of spool.pages(pageSize))
      for (const entry of page) {
        if (again.head.id === size) return again.head
        again.add(entry)
      }
    return again.head
  }
  const different = await firstDifference(goal.id, instance, headAt)
  throw different === undefined
    ? rewritten(goal.id, 'HEAD_DIFFERS', 'the head that it publishes is not that of its entries')
    : rewritten(different, 'ENTRY_DIFFERS', 'it is not the entry that the head is about')
}

/** The first entry at which an instance's heads differ from others, or undefined when none does up to `size`. */
async function firstDifference(
  size: number,
  instance: Instance,
  headAt: (size: number) => Promise<Head>,
): Promise<number | undefined> {
  const isSame = async (id: number): Promise<boolean> => {
    const [here, there] = await Promise.all([headAt(id), instance.head(id)])
    return here.hash === there.hash
  }
  if (size === 0 || (await isSame(size))) return undefined
  // A head depends on all entries before it: from the first that differs on, all differ.
  let same = 0
  let different = size
  while (different - same > 1) {
    const middle = Math.floor((same + different) / 2)
    if (await isSame(middle)) same = middle
    else different = middle
  }
  return different
}

/** How a history was rewritten: `reason` in the details of CHAIN_BROKEN, beside the first entry that differs. */
type Rewriting = 'ENTRY_MISSING' | 'HEAD_DIFFERS' | 'LOG_SHORTER' | 'ENTRY_DIFFERS'

function rewritten(id: number, reason: Rewriting, why: string, details: object = {}): RegistryError {
  return new RegistryError(
    'CHAIN_BROKEN',
    `The instance's history is not that of the copy: entry ${id} is the first that differs (${why}). Nothing was ` +
      'changed here. Ask the operator why; to follow the new history, begin a new copy.',
    { id, reason, ...details },
  )
}
