import type { GivenEntry } from '@openfountain/core/internal'
import {
  daysOfListing,
  statusOf,
  type ListedFact,
  type ObservedFact,
  type StatusFacts,
} from '@openfountain/core/status'
import { stagesOf } from '../status/timeline.ts'
import type { Stages } from '../status/stage.ts'
import type { Waypoint } from './records.ts'

/** The inputs of a waypoint's status that are not in the log. */
export type StatedRow = Pick<
  Waypoint,
  'id' | 'season' | 'state' | 'state_since' | 'last_listed' | 'last_confirmed'
>

type Observed = Omit<ObservedFact, 'id'> & { readonly waypointId: number; readonly isGone?: true }

interface SourceRecord extends Omit<ListedFact, 'seen' | 'heard'> {
  readonly waypointId: number
  readonly sourceId: number
  readonly lastSeen: string
  readonly isMissing: boolean
}

type Fields = GivenEntry['fields']

const textIn = (fields: Fields, name: string): string | undefined => {
  const value = fields[name]
  return typeof value === 'string' ? value : undefined
}

/** The part of a source's record that the status needs; an unknown state is none. */
const factsIn = (fields: Fields): Omit<ListedFact, 'seen'> => {
  const { state } = fields
  return {
    ...((state === 'broken' || state === 'off') && { state }),
    checked: textIn(fields, 'checked'),
    since: textIn(fields, 'since'),
    until: textIn(fields, 'until'),
  }
}

/** Observations and source records of fountains: pass each entry of the log in order to `entry`, then ask. */
export class Knowledge {
  readonly #observations = new Map<number, Observed>()
  /** By the ids of the entries with which they were listed first. */
  readonly #records = new Map<number, SourceRecord>()
  readonly #sourceOfRun = new Map<number, number>()
  /** The time of a source's last complete listing, and its date of publication, where it is known. */
  readonly #listings = new Map<number, { readonly at: string; readonly published?: string }>()
  #byWaypoint: ReadonlyMap<number, StatusFacts> | undefined

  entry({ id, at, subject, subjectId, action, fields, links }: GivenEntry): void {
    this.#byWaypoint = undefined
    const about = Number(subjectId)
    if (subject === 'observation') this.#observe(about, action, fields)
    if (subject === 'import') this.#import(about, action, fields, at)
    const isNew =
      (subject === 'waypoint' && action === 'created' && links.restores === undefined) ||
      (subject === 'record' && action === 'linked')
    if (isNew) this.#list(id, subject === 'waypoint' ? about : Number(fields['waypoint']), fields['via'], at)
    else if (subject === 'record') this.#change(about, action, fields, at)
  }

  #observe(id: number, action: string, fields: Fields): void {
    const before = this.#observations.get(id)
    const waypointId = Number(fields['waypoint'] ?? before?.waypointId)
    if (action === 'created') {
      const { kind, observedAt, near, observer, authority, until } = fields
      this.#observations.set(id, {
        waypointId,
        kind: kind as ObservedFact['kind'],
        observedAt: String(observedAt),
        near: near === true,
        observer: String(observer),
        authority: authority as ObservedFact['authority'],
        ...(typeof until === 'string' && { until }),
      })
    } else if (before && action === 'deleted') this.#observations.set(id, { ...before, isGone: true })
    else if (before) {
      const observer = textIn(fields, 'observer') ?? before.observer
      this.#observations.set(id, { ...before, waypointId, observer })
    }
  }

  #import(run: number, action: string, fields: Fields, at: string): void {
    if (action === 'started') this.#sourceOfRun.set(run, Number(fields['source']))
    const source = this.#sourceOfRun.get(run)
    if (action !== 'finished' || fields['complete'] !== true || source === undefined) return
    const published = textIn(fields, 'published')
    this.#listings.set(source, { at, published })
  }

  #list(id: number, waypointId: number, via: unknown, at: string): void {
    if (typeof via !== 'object' || via === null || !('source' in via)) return
    const sourceId = Number(via.source)
    this.#records.set(id, { waypointId, sourceId, lastSeen: at, isMissing: false, ...factsIn(via as Fields) })
  }

  #change(id: number, action: string, fields: Fields, at: string): void {
    const before = this.#records.get(id)
    if (before === undefined) return
    const { waypointId, sourceId, state, checked, since, until } = before
    if (action === 'delisted') this.#records.set(id, { ...before, isMissing: true })
    else if (action === 'moved') this.#records.set(id, { ...before, waypointId: Number(fields['waypoint']) })
    else {
      const said = factsIn({ state, checked, since, until, ...fields })
      this.#records.set(id, { waypointId, sourceId, lastSeen: at, isMissing: false, ...said })
    }
  }

  #facts(): ReadonlyMap<number, StatusFacts> {
    if (this.#byWaypoint) return this.#byWaypoint
    const found = new Map<number, { observations: ObservedFact[]; sources: ListedFact[] }>()
    const of = (waypointId: number) => {
      const known = found.get(waypointId) ?? { observations: [], sources: [] }
      found.set(waypointId, known)
      return known
    }
    for (const [id, { waypointId, isGone, ...observed }] of this.#observations)
      if (!isGone) of(waypointId).observations.push({ id, ...observed })
    for (const { waypointId, sourceId, lastSeen, isMissing, ...record } of this.#records.values()) {
      if (isMissing || (record.state ?? record.checked) === undefined) continue
      const { at = '', published } = this.#listings.get(sourceId) ?? {}
      const days = at < lastSeen ? daysOfListing(undefined, lastSeen) : daysOfListing(published, at)
      of(waypointId).sources.push({ ...record, ...days })
    }
    this.#byWaypoint = found
    return found
  }

  stagesOf(row: StatedRow, day: string): Stages {
    const season = row.season ?? undefined
    const record = this.#facts().get(row.id)
    // Most waypoints have no facts.
    if (!record && season === undefined && (!row.state || row.state === 'unconfirmed')) return []
    const facts: StatusFacts = { ...record, ...(season !== undefined && { season }) }
    return stagesOf(isToldBy(facts, row, day) ? facts : withRow(facts, row, day), day)
  }
}

/** Whether the log has the facts behind the export's state, which may know more, such as passers-by's observations. */
function isToldBy(facts: StatusFacts, { state }: StatedRow, day: string): boolean {
  if (!state || state === 'unconfirmed') return true
  const found = statusOf(facts, day).state
  return found !== 'unconfirmed' && (found !== 'works' || state !== 'reported')
}

function withRow(facts: StatusFacts, row: StatedRow, day: string): StatusFacts {
  const { state, state_since: since, last_listed: listed, last_confirmed: confirmed } = row
  switch (state) {
    case 'broken':
    case 'off':
      return {
        ...facts,
        sources: [...(facts.sources ?? []), { state, ...daysOfListing(listed ?? since ?? undefined, day) }],
      }
    case 'reported':
      return { ...facts, passersBy: [{ kind: 'broken', observedAt: (since ?? day).slice(0, 10) }] }
    case 'works':
      return confirmed ? { ...facts, sources: [...(facts.sources ?? []), checkedOn(confirmed)] } : facts
    default:
      return facts
  }
}

const checkedOn = (time: string): ListedFact => ({ checked: time.slice(0, 10) })
