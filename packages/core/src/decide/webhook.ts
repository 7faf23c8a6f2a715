import { notFound, RegistryError } from '../errors.ts'
import type { StoredWebhook, Worker } from '../log/nouns.ts'
import { delivering } from '../rules.ts'
import type { CityInput, CityRequest, WebhookInput, WebhookPatch } from '../schemas/webhook.ts'
import { minutesAfter, secretUnder } from '../secrets.ts'
import { administration, type Occasion } from './contributor.ts'
import {
  kept as keptSecret,
  nounOf,
  removed,
  secretOf,
  withoutEntries,
  type Deciding,
  type Unlogged,
  type Decided,
} from './deciding.ts'
import { freed, isLeased, taken } from './lease.ts'

const id = 'deliveries'
const put = (after: StoredWebhook): Unlogged => ({ noun: 'webhook', after })
const putWorker = (after: Worker): Unlogged => ({ noun: 'worker', after })

export function* existingWebhook(key: string): Deciding<StoredWebhook> {
  const found = yield* nounOf('webhook', key)
  if (found === undefined) throw notFound('webhook', key)
  return found
}

/** The webhooks as they are, for administrators. @throws RegistryError UNAUTHORIZED, FORBIDDEN */
export function* seeWebhooks(occasion: Occasion): Decided<undefined> {
  yield* administration(occasion, 'Webhooks')
  return withoutEntries(undefined)
}

/** Adds a webhook, with `city` an endpoint of Open311. @param origin undefined while the operator has to resume */
export function* createWebhook(
  occasion: Occasion,
  key: string,
  { what = {}, ...given }: WebhookInput,
  origin: string | undefined,
  city?: CityInput,
): Decided<StoredWebhook> {
  const { facts } = yield* administration(occasion, 'Webhooks', [{ noun: 'worker', key: id }])
  const place = facts.nextEntry - 1
  const started = { generation: 1, place, attempts: 0, kept: [], createdAt: occasion.at }
  const after: StoredWebhook = { id: key, ...given, what, ...started }
  const resumed = origin === undefined ? [] : [putWorker({ ...facts.get('worker', id), id, origin })]
  const createdAt = occasion.at
  const cities = city && [keptSecret(secretUnder('city', key, { ...city, requests: [] }, { createdAt }))]
  return withoutEntries(after, [put(after), ...resumed, ...(cities ?? [])])
}

const anew = ({ nextAt: _next, disabledAt: _off, ...webhook }: StoredWebhook): StoredWebhook => ({
  ...webhook,
  attempts: 0,
})

/** @throws RegistryError UNAUTHORIZED, FORBIDDEN, NOT_FOUND */
export function* updateWebhook(
  occasion: Occasion,
  key: string,
  { active, ...given }: WebhookPatch,
): Decided<StoredWebhook> {
  yield* administration(occasion, 'Webhooks')
  const before = yield* existingWebhook(key)
  const isOff = active === undefined ? before.disabledAt !== undefined : !active
  const disabledAt = isOff ? (before.disabledAt ?? occasion.at) : undefined
  const after = { ...anew(before), ...given, disabledAt }
  return withoutEntries(after, [put(after)])
}

/** @throws RegistryError UNAUTHORIZED, FORBIDDEN, NOT_FOUND */
export function* removeWebhook(occasion: Occasion, key: string): Decided<undefined> {
  yield* administration(occasion, 'Webhooks')
  const before = yield* existingWebhook(key)
  const city = yield* secretOf('city', key)
  return withoutEntries(undefined, [put({ ...before, isGone: true }), ...(city ? [removed(city)] : [])])
}

/** Changes the secret of a webhook; the one before signs too for a day. @throws RegistryError UNAUTHORIZED, FORBIDDEN, NOT_FOUND */
export function* rotateSecret(occasion: Occasion, key: string): Decided<StoredWebhook> {
  yield* administration(occasion, 'Webhooks')
  const before = yield* existingWebhook(key)
  const after = { ...before, generation: before.generation + 1, rotatedAt: occasion.at }
  return withoutEntries(after, [put(after)])
}

/** Takes an entry from those that are kept: it was sent, and a city made a request of it. @throws RegistryError NOT_FOUND */
export function* sentAgain(key: string, entry: number, request?: CityRequest): Decided<undefined> {
  const before = yield* existingWebhook(key)
  const after = put({ ...before, kept: before.kept.filter((each) => each !== entry) })
  return withoutEntries(undefined, [after, ...(yield* opened(key, request))])
}

/** Begins to deliver the line of history `origin`, or goes on. @returns whether nobody else does */
export function* takeDeliveries(at: string, lease: string, origin: string | undefined): Decided<boolean> {
  const found = yield* nounOf('worker', id)
  const worker: Worker = { ...found, id, origin: origin ?? found?.origin }
  if (worker.lease !== lease && isLeased(worker, at)) return withoutEntries(false)
  return withoutEntries(true, [putWorker(taken(worker, lease, at, delivering.leaseMinutes))])
}

export function* endDeliveries(lease: string): Decided<undefined> {
  const worker = yield* nounOf('worker', id)
  return withoutEntries(undefined, worker?.lease === lease ? [putWorker(freed(worker))] : [])
}

/** Delivers nothing until the operator says so. */
export function* pauseDeliveries(): Decided<undefined> {
  const worker = yield* nounOf('worker', id)
  return withoutEntries(undefined, worker === undefined ? [] : [putWorker({ id })])
}

/** Delivers the events of a line of history: after the place of each webhook, or from now on. */
export function* resumeDeliveries(
  origin: string,
  from: 'now' | 'place',
  keys: readonly string[],
): Decided<undefined> {
  const facts = yield [{ noun: 'worker', key: id }, ...keys.map((key) => ({ noun: 'webhook', key }) as const)]
  const newest = facts.nextEntry - 1
  const all = keys.flatMap((key) => facts.get('webhook', key) ?? [])
  const moved = all.map((each) =>
    put({
      ...each,
      place: from === 'now' ? newest : Math.min(each.place, newest),
      attempts: 0,
      nextAt: undefined,
    }),
  )
  return withoutEntries(undefined, [putWorker({ ...facts.get('worker', id), id, origin }), ...moved])
}

/** @throws RegistryError CONFLICT when another process delivers since */
export function* mustDeliver(lease: string): Deciding<void> {
  if ((yield* nounOf('worker', id))?.lease !== lease)
    throw new RegistryError('CONFLICT', 'Another process delivers since', { state: 'delivering' })
}

export interface Delivery {
  readonly entry: number
  readonly isNone?: true
  /** The HTTP status of the answer, if there was one. */
  readonly status?: number | undefined
  readonly error?: string | undefined
  readonly request?: CityRequest | undefined
}

const refusals: ReadonlySet<number> = new Set([400, 404, 422])

function followed(
  webhook: StoredWebhook,
  at: string,
  { entry, isNone, status, error }: Delivery,
): StoredWebhook {
  const { kept } = webhook
  const next = { ...anew(webhook), place: entry }
  if (isNone === true) return next
  if (status !== undefined && status >= 200 && status < 300)
    return { ...next, lastStatus: status, lastError: error }
  const attempts = webhook.attempts + 1
  const failed = { ...webhook, attempts, lastStatus: status, lastError: error, nextAt: undefined }
  const isRefused = status !== undefined && refusals.has(status)
  const isLast = isRefused && attempts >= delivering.refusedTries
  if (isLast && kept.length < delivering.kept)
    return { ...next, lastStatus: status, lastError: error, kept: [...kept, entry] }
  const seconds = delivering.retrySeconds[attempts - 1]
  if (status === 410 || isLast || seconds === undefined) return { ...failed, disabledAt: at }
  return { ...failed, nextAt: minutesAfter(at, seconds / 60) }
}

/** Records what came of telling a webhook. @returns it, unless it was removed, or is told of other events meanwhile */
export function* recordDelivery(
  at: string,
  lease: string,
  key: string,
  delivery: Delivery,
): Decided<StoredWebhook | undefined> {
  yield* mustDeliver(lease)
  const before = yield* nounOf('webhook', key)
  if (before === undefined || before.disabledAt !== undefined || before.place >= delivery.entry)
    return withoutEntries(undefined)
  const after = followed(before, at, delivery)
  return withoutEntries(after, [put(after), ...(yield* opened(key, delivery.request))])
}

function* withRequests(
  key: string,
  change: (all: readonly CityRequest[]) => readonly CityRequest[],
): Deciding<Unlogged[]> {
  const city = yield* secretOf('city', key)
  if (city === undefined) return []
  const requests = change(city.value.requests).slice(-delivering.city.requests)
  return [keptSecret({ ...city, value: { ...city.value, requests } })]
}

const opened = (key: string, request: CityRequest | undefined): Deciding<Unlogged[]> =>
  withRequests(key, (all) => (request === undefined ? all : [...all, request]))

/** Records the id of a city's request, or, without one, that it is closed. @throws RegistryError CONFLICT */
export function* settleRequest(lease: string, key: string, of: CityRequest): Decided<undefined> {
  yield* mustDeliver(lease)
  const settled = of.id === undefined ? [] : [{ waypoint: of.waypoint, id: of.id }]
  const requests = yield* withRequests(key, (all) =>
    all.flatMap((each) => (each.waypoint === of.waypoint ? settled : [each])),
  )
  return withoutEntries(undefined, requests)
}
