import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { type Actor, actorOf } from './decide/contributor.ts'
import * as decisions from './decide/observation.ts'
import type { MadeObservation } from './decide/observation.ts'
import { RegistryError, required } from './errors.ts'
import { pagesOf } from './paged.ts'
import { hashesFor, pseudonyms } from './pseudonyms.ts'
import { observing, pages } from './rules.ts'
import type { Observation, ObservationInput } from './schemas/observation.ts'
import { knownOptions, parse } from './schemas/parse.ts'
import { pagingById } from './schemas/waypoint.ts'
import { Part } from './shared.ts'
import { statusOf, type Status, type StatusFacts } from './status.ts'
import { apart } from './store/write-queue.ts'
import type { StatedWaypoint } from './store/answers.ts'
import type { Store } from './store/port.ts'

export const ObservationsPage = pagingById(pages.observations)
export const ObservationsQuery = ObservationsPage.extend({ bubblerId: z.int().positive() })

const agedAtOnce = 500

const statedAtOnce = 1000

export interface StatusOfWaypoint {
  readonly id: number
  readonly status: Status
}

/** Observations of waypoints, and the statuses that follow: whether they give water today. */
export class Observations extends Part {
  /**
   * Records an observation: `works`, `broken`, `dry`, `dirty`, `blocked` or `gone`. The log has the day and a pseudonym
   * for this waypoint alone. XP is granted once the day is over. An API token is the operator. A repetition within a
   * minute returns the first. A problem reported by a new account (`newcomers` in the rules) is stored as a passer-by's
   * sighting.
   *
   * @param options `network` is that of a passer-by, such as `192.0.2.0/24`: the sighting is stored outside the log for
   * 30 days, with a keyed hash of the network until the end of the day. Default: signed-in people only
   * @throws RegistryError UNAUTHORIZED, FORBIDDEN, INVALID_INPUT, also for an unknown waypoint, RATE_LIMITED `{ limit,
   * windowSeconds, retryAfterSeconds }`
   * @example
   * const near = { latitude: 55.7029, longitude: 13.1929, accuracy: 8 }
   * await registry.observations.create({ bubblerId: 1, kind: 'works', near }, token())
   */
  async create(
    input: ObservationInput,
    actor: Actor,
    options: { readonly network?: string | undefined } = {},
  ): Promise<MadeObservation> {
    const { network } = knownOptions(options, ['network'])
    const newId = randomUUID()
    const hashOf = await hashesFor('observation', this.store)
    const seenBy = (day: string, who: string): string => hashOf(`${day} ${who}`)
    if (actorOf(actor).kind === 'anonymous' && network !== undefined)
      return this.store.write({
        decide: (at) => decisions.createSighting(at, input, { network, seenBy, newId }),
      })
    const pseudonymOf = await pseudonyms(this.store)
    const made = await this.shared.contribute(actor, (occasion) =>
      decisions.createObservation(occasion, input, { pseudonymOf, seenBy, newId }),
    )
    await apart(() => this.grantXp())
    return made
  }

  /** The result of `create`, as it is now; the id of one outside the log is a text. @throws RegistryError NOT_FOUND */
  async made(subject: number | string): Promise<MadeObservation> {
    if (typeof subject === 'number') return this.get(subject)
    return decisions.publishedSighting(
      required(await this.asItIs('sighting', subject), 'observation', subject),
    )
  }

  /** A live observation. @throws RegistryError NOT_FOUND */
  async get(id: number): Promise<Observation> {
    return required(await this.read.observations.get(id), 'observation', id)
  }

  /** Observations of a waypoint, not of passers-by, by id; limit is 50, at most 100. @throws RegistryError INVALID_INPUT */
  async list(query: z.input<typeof ObservationsQuery>): Promise<Observation[]> {
    const { bubblerId, after, limit } = parse(ObservationsQuery, query)
    return this.read.observations.list(bubblerId, { after, limit })
  }

  /** Observations of a user, for them alone, by id; limit is 50, at most 100. @throws RegistryError INVALID_INPUT */
  async by(userId: string, query: z.input<typeof ObservationsPage> = {}): Promise<Observation[]> {
    const found = await this.read.observations.by(userId, parse(ObservationsPage, query))
    return found.map(({ madeOn: _madeOn, xp: _xp, ...observation }) => observation)
  }

  /** Whether a waypoint gives water on a day, `YYYY-MM-DD`, default today. @throws RegistryError NOT_FOUND */
  async status(bubblerId: number, day?: string): Promise<Status> {
    const facts = required(await this.read.observations.facts(bubblerId), 'waypoint', bubblerId)
    return statusOf(facts, day ?? (await this.today()))
  }

  /**
   * Today's statuses of waypoints, except `unconfirmed`, by id in pages.
   *
   * @param query `seenSince` narrows to waypoints with sightings of passers-by on that day (UTC) or later, which are
   * not in the log
   * @example
   * for await (const { id, status } of registry.observations.statuses()) console.log(id, status.state)
   */
  async *statuses(query: { readonly seenSince?: string | undefined } = {}): AsyncGenerator<StatusOfWaypoint> {
    const { seenSince } = knownOptions(query, ['seenSince'])
    const today = await this.today()
    const pages = pagesOf<StatedWaypoint>(statedAtOnce, (last) =>
      this.read.observations.stated(last?.id ?? 0, statedAtOnce, seenSince),
    )
    for await (const page of pages)
      for (const { id, facts } of page) {
        const status = statusOf(JSON.parse(facts) as StatusFacts, today)
        if (status.state !== 'unconfirmed') yield { id, status }
      }
  }

  /** The current day of statuses in UTC, `YYYY-MM-DD`: that of the last write when the clock is behind. */
  async today(): Promise<string> {
    return (await this.store.time()).slice(0, 10)
  }

  /** The XP that a person's observations have earned and that is granted once the day is over: for them alone. */
  async owedTo(userId: string): Promise<number> {
    return this.read.observations.owedTo(userId)
  }

  /** Grants the XP that observations of earlier days have earned, as one sum a person. It is due once a day. */
  async grantXp(): Promise<void> {
    const { grantedAtOnce } = observing
    for (let isMore = true; isMore;) {
      const ids = await this.read.observations.owed(await this.today(), grantedAtOnce)
      if (ids.length > 0) await this.store.write({ decide: (at) => decisions.grantOwed(at, ids) })
      isMore = ids.length === grantedAtOnce
    }
  }

  /** Recomputes statuses in lists that the date may have changed, once a day, unless the registry is opened for reading. */
  async age(): Promise<void> {
    await aged(this.store)
  }
}

/** Computes the states anew that the date may have changed, where the database can be written. @internal */
export async function aged(store: Store): Promise<void> {
  try {
    for (let isMore = true; isMore;) {
      const today = (await store.time()).slice(0, 10)
      const ids = await store.read.observations.due(today, agedAtOnce)
      if (ids.length > 0) await store.write({ decide: () => decisions.ageStatuses(ids) })
      isMore = ids.length === agedAtOnce
    }
  } catch (error) {
    if (!(error instanceof RegistryError) || error.code !== 'STORAGE_READ_ONLY') throw error
  }
}
