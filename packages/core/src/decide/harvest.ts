import { notFound, RegistryError } from '../errors.ts'
import type { HarvestOutcome, HarvestReason } from '../fields/harvest.ts'
import type { Schedule, StoredHarvest } from '../log/nouns.ts'
import { harvesting } from '../rules.ts'
import { minutesAfter } from '../secrets.ts'
import { freed, isLeased, renewed, taken } from './lease.ts'
import { nounOf, withoutEntries, type Deciding, type Unlogged, type Decided } from './deciding.ts'

export type ScheduleInput = Pick<Schedule, 'url' | 'every' | 'options'>

export interface HarvestResult {
  readonly outcome: HarvestOutcome
  readonly reason?: HarvestReason | undefined
  readonly status?: number | undefined
  readonly rows?: Partial<Pick<StoredHarvest, 'read' | 'added' | 'changed' | 'missing' | 'refused'>>
  readonly message?: string | undefined
  readonly location?: string | undefined
  /** Of a whole answer; default those of the one before. */
  readonly answer?: Pick<Schedule, 'etag' | 'lastModified' | 'sha256'> | undefined
}

const put = (after: Schedule): Unlogged => ({ noun: 'schedule', after })

function* existing(id: number): Deciding<Schedule> {
  const found = yield* nounOf('schedule', id)
  if (found === undefined || found.isGone === true) throw notFound('schedule', id)
  return found
}

const minutesOf = ({ every }: Pick<Schedule, 'every'>): number | undefined =>
  every === 'never' ? undefined : harvesting.every[every]

/** Sets the schedule of a source, which is due at once; another address or another reading is fetched anew. */
export function* setSchedule(at: string, id: number, given: ScheduleInput): Decided<Schedule> {
  const before = yield* nounOf('schedule', id)
  const { url, every, options } = given
  const isSame =
    before !== undefined && before.url === url && JSON.stringify(before.options) === JSON.stringify(options)
  const { etag, lastModified, sha256, wholeAt, ...rest } = before ?? { failures: 0 }
  const { isGone: _gone, ...kept } = rest as Partial<Schedule> & { failures: number }
  const after: Schedule = {
    ...kept,
    ...(isSame && { etag, lastModified, sha256, wholeAt }),
    id,
    url,
    every,
    options,
    nextAt: every === 'never' ? undefined : at,
  }
  return withoutEntries(after, [put(after)])
}

export function* removeSchedule(id: number): Decided<undefined> {
  const before = yield* nounOf('schedule', id)
  return withoutEntries(undefined, before === undefined ? [] : [put({ ...before, isGone: true })])
}

function harvestOf(
  { id, lease, leasedAt }: Schedule,
  at: string,
  { rows, answer: _answer, ...result }: HarvestResult,
): Unlogged {
  const startedAt = leasedAt ?? at
  // Random, and used once.
  const own = lease ?? startedAt
  const none = { read: 0, added: 0, changed: 0, missing: 0, refused: 0 }
  const after = {
    id: own,
    sourceId: id,
    startedAt,
    endedAt: at,
    ...result,
    ...none,
    ...rows,
  }
  return { noun: 'harvest', after }
}

function followed(schedule: Schedule, at: string, { outcome, answer }: HarvestResult): Schedule {
  const minutes = minutesOf(schedule)
  const { leasedAt = at, staleSince, failures } = schedule
  const isGood = outcome === 'imported' || outcome === 'unchanged'
  const failed = outcome === 'failed' ? failures + 1 : 0
  const next = () => {
    if (minutes === undefined) return undefined
    if (failed === 0) return minutesAfter(leasedAt, minutes * (1 - harvesting.early))
    return minutesAfter(at, Math.min(minutes, harvesting.retryMinutes * 2 ** Math.min(failed - 1, 20)))
  }
  return {
    ...freed(schedule),
    ...(isGood && answer !== undefined && { ...answer, wholeAt: leasedAt }),
    ...(isGood && { checkedAt: leasedAt }),
    staleSince: isGood ? undefined : (staleSince ?? leasedAt),
    failures: failed,
    nextAt: next(),
  }
}

/** Takes the lease of a source; a harvest whose lease ended is recorded as interrupted. @throws RegistryError CONFLICT */
export function* beginHarvest(at: string, id: number, lease: string): Decided<Schedule> {
  const before = yield* existing(id)
  if (isLeased(before, at))
    throw new RegistryError('CONFLICT', `It is being harvested, until ${before.leaseUntil} at least`, {
      state: 'harvesting',
    })
  const isAfterCrash = before.lease !== undefined
  const failed = { outcome: 'failed', reason: 'interrupted' } as const
  const known = isAfterCrash ? followed(before, at, failed) : before
  const schedule = taken(known, lease, at, harvesting.leaseMinutes)
  const ended = isAfterCrash ? [harvestOf(before, at, failed)] : []
  return withoutEntries(schedule, [put(schedule), ...ended])
}

function* held(id: number, lease: string): Deciding<Schedule> {
  const found = yield* existing(id)
  if (found.lease === lease) return found
  throw new RegistryError('CONFLICT', 'Another process harvests it since', { state: 'harvesting' })
}

/** Keeps the lease. @throws RegistryError NOT_FOUND, CONFLICT when it was lost */
export function* renewLease(at: string, id: number, lease: string): Decided<undefined> {
  const before = yield* held(id, lease)
  return withoutEntries(undefined, [put(renewed(before, at, harvesting.leaseMinutes))])
}

/** Records a harvest, and gives its lease back. @throws RegistryError NOT_FOUND, CONFLICT when it was lost */
export function* endHarvest(
  at: string,
  id: number,
  lease: string,
  result: HarvestResult,
): Decided<StoredHarvest> {
  const before = yield* held(id, lease)
  const harvest = harvestOf(before, at, result)
  return withoutEntries(harvest.after as StoredHarvest, [put(followed(before, at, result)), harvest])
}
