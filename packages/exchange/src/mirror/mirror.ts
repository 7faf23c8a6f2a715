import { RegistryError, type Head, type Registry, type SealedEntry } from '@openfountain/core'
import type { MirroredSources } from '@openfountain/core/internal'
import { Instance, type InstanceOptions } from './instance.ts'

export interface MirrorOptions extends InstanceOptions {
  /** Reads the whole log again for texts that were redacted since they were copied. Default false. */
  readonly redactions?: boolean | undefined
  readonly onProgress?: ((progress: MirrorProgress) => void) | undefined
}

export interface MirrorProgress {
  /** Entries of the log that the copy has. */
  readonly done: number
  /** Entries of the log that the instance has. */
  readonly total: number
}

export interface MirrorReport {
  /** The copy's head before. */
  readonly from: Head
  /** Its head now. */
  readonly head: Head
  /** Entries that were followed. */
  readonly entries: number
  /** Entries whose text was redacted because the instance had redacted it. */
  readonly redacted: number
}

/**
 * Builds or follows the copy of another instance's registry from its log over HTTP. Every entry is checked
 * against the chain before it is kept; an interrupted copy continues where it was. Users are copied with their names
 * and waypoints with their sources; reviews, XP and areas are not copied.
 *
 * @param registry an empty registry, or an earlier copy of the same one
 * @throws {RegistryError} CHAIN_BROKEN when the instance's history is not the one that was copied, with `id`, the
 * first entry that differs, and `reason`: ENTRY_MISSING, ENTRY_DIFFERS, LOG_SHORTER or HEAD_DIFFERS; INVALID_INPUT for
 * what is not an address
 * @throws {InstanceError} when the instance cannot be reached or returns something else, with `code` and facts
 * @example
 * const { head } = await mirrorRegistry('https://fountains.example', registry)
 */
export async function mirrorRegistry(
  url: string,
  registry: Registry,
  options: MirrorOptions = {},
): Promise<MirrorReport> {
  const instance = new Instance(url, options)
  const from = registry.changes.head()
  const goal = await instance.head()
  await mustContinue(instance, registry, from, goal)
  const hasSources = (await instance.sources()).some(({ waypoints }) => waypoints > 0)
  const report = () => options.onProgress?.({ done: registry.changes.head().id, total: goal.id })
  report()
  let head = from
  while (head.id < goal.id) {
    options.signal?.throwIfAborted()
    const entries = await instance.entries(head.id)
    if (entries.length === 0) {
      throw rewritten(
        head.id + 1,
        'ENTRY_MISSING',
        `the instance says that its log ends at ${goal.id}, but does not have this entry`,
      )
    }
    head = registry.mirror.follow({
      entries,
      people: await Promise.all(registry.mirror.unknownPeople(entries).map((id) => instance.person(id))),
      sources: hasSources ? await sourcesOfEach(instance, entries) : [],
    })
    report()
  }
  if (head.id === goal.id && head.hash !== goal.hash) {
    throw rewritten(
      head.id,
      'HEAD_DIFFERS',
      'the head that the instance publishes is not the hash of its newest entry',
    )
  }
  const redacted = options.redactions ? await followRedactions(instance, registry, from, report) : 0
  return { from, head, entries: head.id - from.id, redacted }
}

/** Requests that are under way at the same time. */
const parallel = 8

async function sourcesOfEach(
  instance: Instance,
  entries: readonly SealedEntry[],
): Promise<MirroredSources[]> {
  const deleted = new Set(
    entries.filter(({ action }) => action === 'deleted').map((entry) => entry.bubblerId),
  )
  const waiting = [...new Set(entries.map((entry) => entry.bubblerId))]
    .filter((id) => !deleted.has(id))
    .values()
  const found: MirroredSources[] = []
  const fetcher = async () => {
    for (const waypointId of waiting) {
      const sources = await instance.sourcesOf(waypointId)
      if (sources && sources.length > 0) found.push({ waypointId, sources })
    }
  }
  await Promise.all(Array.from({ length: parallel }, fetcher))
  return found.toSorted((one, other) => one.waypointId - other.waypointId)
}

/** @throws {RegistryError} CHAIN_BROKEN unless the instance's log begins with all entries of the copy */
async function mustContinue(instance: Instance, registry: Registry, here: Head, there: Head): Promise<void> {
  const common = Math.min(here.id, there.id)
  if (await sameAt(instance, registry, common)) {
    if (there.id >= here.id) return
    throw rewritten(
      there.id + 1,
      'LOG_SHORTER',
      `the instance's log ends at ${there.id}, the copy at ${here.id}`,
    )
  }
  // A hash depends on all entries before it: from the first that differs on, all differ.
  let same = 0
  let different = common
  while (different - same > 1) {
    const middle = Math.floor((same + different) / 2)
    if (await sameAt(instance, registry, middle)) same = middle
    else different = middle
  }
  throw rewritten(different, 'ENTRY_DIFFERS', 'the instance now has another entry in its place')
}

async function sameAt(instance: Instance, registry: Registry, id: number): Promise<boolean> {
  if (id === 0) return true
  const [[here], there] = await Promise.all([registry.changes.sealed(id - 1, 1), instance.entry(id)])
  return here !== undefined && here.hash === there?.hash
}

async function followRedactions(
  instance: Instance,
  registry: Registry,
  until: Head,
  report: () => void,
): Promise<number> {
  let redacted = 0
  for (let after = 0; after < until.id;) {
    const entries = await instance.entries(after)
    const last = entries.at(-1)
    if (!last) break
    for (const entry of entries) {
      if (entry.id <= until.id && entry.redacted && registry.mirror.redact(entry)) redacted += 1
    }
    after = last.id
    report()
  }
  return redacted
}

/** How a history was rewritten: `reason` in the details of CHAIN_BROKEN, beside the first entry that differs. */
type Rewriting = 'ENTRY_MISSING' | 'HEAD_DIFFERS' | 'LOG_SHORTER' | 'ENTRY_DIFFERS'

function rewritten(id: number, reason: Rewriting, why: string): RegistryError {
  return new RegistryError(
    'CHAIN_BROKEN',
    `The history was rewritten: entry ${id} is the first that differs from the copy (${why}). Nothing was changed ` +
      'here. Ask the operator why; to follow the new history, begin a new copy.',
    { id, reason },
  )
}
