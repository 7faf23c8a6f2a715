import type { observationAuthorities, observationKinds } from './fields/observation.ts'
import type { sourceStates } from './fields/source.ts'
import { freshness, observing } from './rules.ts'
import { addDays, isInSeason, nextTurn, outOfSeasonSince } from './season.ts'

/** Whether a waypoint gives water: a pure function of facts and date, in a browser too. Days are in UTC, `YYYY-MM-DD`. */

export const waypointStates = ['works', 'unconfirmed', 'reported', 'broken', 'off', 'gone'] as const
export type StateOfWaypoint = (typeof waypointStates)[number]

/** Whether somebody who wants water can be sent to a waypoint, as far as it is known. */
export const isUsable = ({
  state,
  access,
  drinkable,
}: Readonly<Partial<Record<'state' | 'access' | 'drinkable', string | null | undefined>>>): boolean =>
  state !== 'broken' && state !== 'off' && state !== 'gone' && access !== 'private' && drinkable !== 'no'

export type ObservationKind = (typeof observationKinds)[number]

export interface ObservedFact {
  /** Of two of the same day, the greater one is the newer. */
  readonly id: number
  readonly kind: ObservationKind
  readonly observedAt: string
  /** Whether the observer stood there. */
  readonly near: boolean
  readonly observer: string
  readonly authority?: (typeof observationAuthorities)[number] | undefined
  /** The last day without water, where it is closed until then. */
  readonly until?: string | undefined
}

export interface ListedFact {
  /** The problem named by the source; absent when it names none. */
  readonly state?: (typeof sourceStates)[number] | undefined
  /** The day as of which it last listed it: that of its publication. Absent where it is not known. */
  readonly seen?: string | undefined
  /** Where that is not known, the day on which it was heard: it was said then or at any time before. */
  readonly heard?: string | undefined
  /** When somebody last looked, as far as the source says it. */
  readonly checked?: string | undefined
  /** The first and the last day on which that is so, as far as the source says it. */
  readonly since?: string | undefined
  readonly until?: string | undefined
}

/** Everything that the state of a waypoint depends on, besides the date. */
export interface StatusFacts {
  /** The part of the year in which it gives water, `MM-DD/MM-DD`. */
  readonly season?: string | undefined
  readonly observations?: readonly ObservedFact[] | undefined
  /** Sightings of passers-by: they make a report, and no more. */
  readonly passersBy?: readonly Pick<ObservedFact, 'kind' | 'observedAt'>[] | undefined
  /** The sources that list it now. */
  readonly sources?: readonly ListedFact[] | undefined
  /** The last day on which somebody saw that it works, where that is not among the observations any more. */
  readonly confirmed?: string | undefined
}

export interface Status {
  /** `off` is closed for the season, `reported` a problem by one person, `unconfirmed` without recent words. */
  readonly state: StateOfWaypoint
  /** The first day of it, as far as it is known. */
  readonly since?: string
  /** The last day on which somebody saw that it works, here or as a source says it. That it was listed is no confirmation. */
  readonly lastConfirmed?: string
  /** How many people say it; 0 when a source alone does, or the season. */
  readonly supporters: number
  /** Present when others said otherwise before. */
  readonly contradicted?: true
}

export const daysOfListing = (
  published: string | undefined,
  heard: string,
): Pick<ListedFact, 'seen' | 'heard'> =>
  published === undefined ? { heard: heard.slice(0, 10) } : { seen: published }

const saidUntil = ({ checked, seen, heard }: ListedFact): string | undefined => checked ?? seen ?? heard

const goodUntil = (date: string, kind: keyof typeof freshness): string => addDays(date, freshness[kind])

const isGood = (date: string, kind: keyof typeof freshness, today: string): boolean =>
  date <= today && today <= goodUntil(date, kind)

const observedUntil = ({
  kind,
  observedAt,
  until,
}: Pick<ObservedFact, 'kind' | 'observedAt' | 'until'>): string => until ?? goodUntil(observedAt, kind)

const isNewer = (one: ObservedFact, other: ObservedFact): boolean =>
  one.observedAt === other.observedAt ? one.id > other.id : one.observedAt > other.observedAt

function newest(facts: readonly ObservedFact[]): ObservedFact | undefined {
  let found: ObservedFact | undefined
  for (const fact of facts) if (found === undefined || isNewer(fact, found)) found = fact
  return found
}

/** The newest observation of each person. */
function lastWords(facts: readonly ObservedFact[]): ObservedFact[] {
  const last = new Map<string, ObservedFact>()
  for (const fact of facts) {
    if (fact.kind === 'closed') continue
    const before = last.get(fact.observer)
    if (before === undefined || isNewer(fact, before)) last.set(fact.observer, fact)
  }
  return [...last.values()]
}

const first = (dates: readonly string[]): string | undefined => dates.toSorted()[0]
const last = (dates: readonly string[]): string | undefined => dates.toSorted().at(-1)

/** Whether enough people say it, or one whose word counts as much. */
const isAgreed = (facts: readonly ObservedFact[]): boolean =>
  facts.length >= observing.agreeing || facts.some(({ authority }) => authority !== undefined)

/** Reports against a waypoint that are not out of date. */
interface Problems {
  readonly people: readonly ObservedFact[]
  /** `from` is the first day of the state, where it is known. */
  readonly sources: readonly { readonly state: 'broken' | 'off'; readonly from: string | undefined }[]
}

class Knowledge {
  readonly #facts: StatusFacts
  readonly #today: string
  readonly #known: readonly ObservedFact[]
  readonly #words: readonly ObservedFact[]
  /** Checks by sources among them. */
  readonly #checks: ReadonlySet<ObservedFact>

  constructor(facts: StatusFacts, today: string) {
    this.#facts = facts
    this.#today = today
    const checks = (facts.sources ?? []).flatMap(({ state, checked }, index): ObservedFact[] =>
      state === undefined && checked !== undefined
        ? [{ id: 0, kind: 'works', observedAt: checked, near: false, observer: `source ${index}` }]
        : [],
    )
    this.#checks = new Set(checks)
    this.#known = [...checks, ...(facts.observations ?? [])].filter(({ observedAt }) => observedAt <= today)
    this.#words = lastWords(this.#known)
  }

  #isOfSeason({ kind, observedAt, until }: Pick<ObservedFact, 'kind' | 'observedAt' | 'until'>): boolean {
    const { season } = this.#facts
    return kind === 'dry' && until === undefined && season !== undefined && !isInSeason(season, observedAt)
  }

  /** All that was said against it by people who did not take it back. */
  get #complaints(): ObservedFact[] {
    return this.#words.filter((fact) => fact.kind !== 'works' && !this.#isOfSeason(fact))
  }

  /** The newest word for it by somebody who stood there, or whose word counts as much. */
  get #newestProof(): ObservedFact | undefined {
    return newest(
      this.#words.filter(
        ({ kind, near, authority }) => kind === 'works' && (near || authority !== undefined),
      ),
    )
  }

  /** @param since only what is newer */
  #problemsSince(since: ObservedFact | undefined): Problems {
    const people = this.#complaints.filter(
      (fact) => this.#today <= observedUntil(fact) && (since === undefined || isNewer(fact, since)),
    )
    const sources = (this.#facts.sources ?? []).flatMap((fact) => {
      const { state, until = this.#today } = fact
      const [date, said = this.#today] = [fact.checked ?? fact.seen, saidUntil(fact)]
      const from = fact.since ?? date
      const isNow = (from === undefined || from <= this.#today) && this.#today <= until
      const isKnown = state !== undefined && isNow && isGood(said, state, this.#today)
      return isKnown && (since === undefined || this.#isAfter(date, since)) ? [{ state, from }] : []
    })
    return { people, sources }
  }

  /** Whether a source said it after a person saw otherwise. Where the day is not known, a current word counts for more. */
  #isAfter(date: string | undefined, { observedAt }: ObservedFact): boolean {
    return date === undefined ? !isGood(observedAt, 'works', this.#today) : date > observedAt
  }

  get lastConfirmed(): string | undefined {
    const { confirmed } = this.#facts
    const seen = this.#known.filter(({ kind }) => kind === 'works').map(({ observedAt }) => observedAt)
    return last(confirmed === undefined || confirmed > this.#today ? seen : [...seen, confirmed])
  }

  trouble(): Status | undefined {
    const { people, sources } = this.#problemsSince(this.#newestProof)
    const off = sources.filter(({ state }) => state === 'off')
    const broken = sources.filter(({ state }) => state === 'broken')
    const supporters = people.length
    const dates = people.map(({ observedAt }) => observedAt)
    if (supporters === 0 && sources.length === 0) return undefined
    const closed = people.filter(({ until }) => until !== undefined)
    const isOff =
      off.length + closed.length > 0 && broken.length === 0 && people.every(({ kind }) => kind === 'dry')
    const offSince = [...off.flatMap(({ from }) => from ?? []), ...closed.map(({ observedAt }) => observedAt)]
    if (isOff) return this.#status('off', first(offSince), supporters)
    const gone = people.filter(({ kind }) => kind === 'gone')
    if (isAgreed(gone))
      return this.#status('gone', first(gone.map(({ observedAt }) => observedAt)), gone.length)
    if (broken.length > 0 || isAgreed(people))
      return this.#status(
        'broken',
        first([...dates, ...broken.flatMap(({ from }) => from ?? [])]),
        supporters,
      )
    return this.#status('reported', first(dates), supporters)
  }

  /** Closed for the season, unless somebody saw it work since. */
  outOfSeason(): Status | undefined {
    const { season } = this.#facts
    if (season === undefined || isInSeason(season, this.#today)) return undefined
    const since = outOfSeasonSince(season, this.#today)
    if (this.#words.some(({ kind, observedAt }) => kind === 'works' && observedAt >= since)) return undefined
    const dry = this.#words.filter(
      (fact) =>
        fact.observedAt >= since && this.#isOfSeason(fact) && isGood(fact.observedAt, 'dry', this.#today),
    )
    return this.#status('off', since, dry.length)
  }

  #working(): readonly ObservedFact[] {
    // Complaints age sooner; when they expire, earlier statements do not apply again.
    const complaint = newest(this.#complaints)
    return this.#words.filter(
      (fact) =>
        fact.kind === 'works' &&
        isGood(fact.observedAt, 'works', this.#today) &&
        (complaint === undefined || isNewer(fact, complaint)),
    )
  }

  working(): Status | undefined {
    const words = this.#working()
    if (words.length === 0) return undefined
    const { people, sources } = this.#problemsSince(undefined)
    const supporters = words.filter((word) => !this.#checks.has(word)).length
    const status = this.#status('works', first(words.map(({ observedAt }) => observedAt)), supporters)
    return people.length + sources.length > 0 ? { ...status, contradicted: true } : status
  }

  reportedByPassersBy(): Status | undefined {
    const words = this.#working()
    if (words.some(({ authority }) => authority !== undefined)) return undefined
    const date = last(words.map(({ observedAt }) => observedAt))
    const recent = (this.#facts.passersBy ?? []).filter(
      (each) =>
        each.observedAt <= this.#today &&
        this.#today <= addDays(each.observedAt, observing.passersByDays) &&
        (date === undefined || each.observedAt > date) &&
        !this.#isOfSeason(each),
    )
    const better = last(recent.filter(({ kind }) => kind === 'works').map(({ observedAt }) => observedAt))
    const reports = recent.filter(
      ({ kind, observedAt }) => kind !== 'works' && (better === undefined || observedAt > better),
    )
    return reports.length === 0
      ? undefined
      : this.#status('reported', first(reports.map(({ observedAt }) => observedAt)), reports.length)
  }

  unconfirmed(): Status {
    return this.#status('unconfirmed', undefined, 0)
  }

  #status(state: StateOfWaypoint, since: string | undefined, supporters: number): Status {
    const { lastConfirmed } = this
    return {
      state,
      ...(since !== undefined && { since }),
      ...(lastConfirmed !== undefined && { lastConfirmed }),
      supporters,
    }
  }
}

/**
 * The status of a waypoint on a day, by the facts known until then.
 *
 * @param today `YYYY-MM-DD` in UTC
 * @example
 * statusOf({ observations: [{ id: 1, kind: 'dry', observedAt: '2026-07-01', near: true, observer: 'a' }] }, '2026-07-02')
 * // { state: 'reported', since: '2026-07-01', supporters: 1 }
 */
export function statusOf(facts: StatusFacts, today: string): Status {
  const knowledge = new Knowledge(facts, today)
  return (
    knowledge.trouble() ??
    knowledge.outOfSeason() ??
    knowledge.reportedByPassersBy() ??
    knowledge.working() ??
    knowledge.unconfirmed()
  )
}

/** Longer ago than anything that the status of the same day depends on: a year, and the longest lifetime is shorter. */
const forgottenAfterDays = 400

/** The facts that count on the day of the newest observation and later: the last statement of each person, numbered; undefined without. */
export function condensed(facts: StatusFacts): StatusFacts | undefined {
  const { season, observations = [], passersBy = [], sources = [] } = facts
  const newestDay = last(observations.map(({ observedAt }) => observedAt))
  const oldest = newestDay === undefined ? '' : addDays(newestDay, -forgottenAfterDays)
  const words = lastWords(observations)
    .filter(({ observedAt }) => observedAt >= oldest)
    .toSorted((one, other) => (isNewer(one, other) ? 1 : -1))
    .map(({ kind, observedAt, near, authority, until }, index): ObservedFact => ({
      id: index + 1,
      kind,
      observedAt,
      near,
      observer: String(index + 1),
      authority,
      ...(until !== undefined && { until }),
    }))
  const confirmedBy = (given: readonly ObservedFact[]) =>
    last(given.filter(({ kind }) => kind === 'works').map(({ observedAt }) => observedAt))
  const confirmed = last([confirmedBy(observations) ?? [], facts.confirmed ?? []].flat())
  const known: StatusFacts = {
    ...(season !== undefined && { season }),
    ...(words.length > 0 && { observations: words }),
    ...(confirmed !== undefined && confirmed !== confirmedBy(words) && { confirmed }),
    ...(passersBy.length > 0 && {
      passersBy: passersBy.map(({ kind, observedAt }) => ({ kind, observedAt })),
    }),
    ...(sources.length > 0 && { sources }),
  }
  return Object.keys(known).length === 0 ? undefined : known
}

/** The first day after a day on which the status may be another, although nothing new becomes known. */
export function nextChangeOf(
  { season, observations = [], passersBy = [], sources = [] }: StatusFacts,
  today: string,
): string | undefined {
  const ends = [
    ...observations.map(observedUntil),
    ...passersBy.map(({ observedAt }) => addDays(observedAt, observing.passersByDays)),
    ...sources.flatMap((fact) => {
      const { state, checked, until } = fact
      const said = state === undefined ? checked : saidUntil(fact)
      return [said === undefined ? [] : goodUntil(said, state ?? 'works'), until ?? []].flat()
    }),
  ].map((date) => addDays(date, 1))
  const begins = sources.flatMap(({ state, since }) =>
    state === undefined || since === undefined ? [] : [since],
  )
  const turn = season === undefined ? [] : [nextTurn(season, today) ?? []].flat()
  return first([...ends, ...begins, ...turn].filter((date) => date > today))
}
