import type { StatedRow } from '../../data/knowledge.ts'
import { lastNews } from '../../data/news.ts'
import { factsOf, shortened, type MapRow } from '../../data/row.ts'
import type { MapFacts } from '../data/facts.ts'
import { objectNumber } from '../data/osm-object.ts'

/** Rows stored as columns, so that a million fit into a few hundred megabytes. */
export class RowColumns {
  readonly ids: number[] = []
  readonly names: string[] = []
  readonly latitudes: number[] = []
  readonly longitudes: number[] = []
  readonly verified: boolean[] = []
  readonly approved: boolean[] = []
  readonly ratings: number[] = []
  readonly reviewCounts: number[] = []
  /** The day of the latest news, and the day when it was last seen working. */
  readonly confirmed: string[] = []
  readonly seen: (string | undefined)[] = []
  readonly listed: (string | undefined)[] = []
  readonly states: StatedRow['state'][] = []
  readonly statesSince: (string | undefined)[] = []
  readonly facts: MapFacts[] = []
  readonly descriptions: (string | undefined)[] = []
  readonly amenitySets: (readonly string[])[] = []
  readonly regions: (string | undefined)[] = []
  readonly places: (string | undefined)[] = []
  readonly countries: (string | undefined)[] = []
  readonly subdivisions: (string | undefined)[] = []
  readonly sources: (string | undefined)[] = []
  /** Objects of OpenStreetMap as numbers, 0 for none. */
  readonly objects: number[] = []
  readonly digests: string[] = []
  readonly #shared = new Map<string, string>()
  readonly #sets = new Map<string, readonly string[]>()
  readonly #facts = new Map<string, MapFacts>()

  get length(): number {
    return this.ids.length
  }

  /** Adds a row. Repeated texts are stored once. */
  add(row: MapRow): void {
    this.ids.push(row.id)
    this.names.push(row.name)
    this.latitudes.push(row.latitude)
    this.longitudes.push(row.longitude)
    this.verified.push(row.verified)
    this.approved.push(row.approved)
    this.ratings.push(row.rating ?? 0)
    this.reviewCounts.push(row.review_count)
    this.confirmed.push(this.#share(lastNews(row)))
    this.seen.push(this.#shareAny(row.last_confirmed))
    this.listed.push(this.#shareAny(row.last_listed))
    this.states.push(row.state ?? undefined)
    this.statesSince.push(this.#shareAny(row.state_since))
    this.facts.push(this.#shareFacts(factsOf(row)))
    this.descriptions.push(row.description ? this.#share(shortened(row.description)) : undefined)
    this.amenitySets.push(this.#shareSet(row.amenities))
    this.regions.push(this.#shareAny(row.region))
    this.places.push(this.#shareAny(row.place))
    this.countries.push(this.#shareAny(row.country))
    this.subdivisions.push(this.#shareAny(row.subdivision))
    this.sources.push(this.#shareAny(row.source))
    this.digests.push(row.digest ?? '')
    this.objects.push(row.osm_type && row.osm_id ? objectNumber(`${row.osm_type}/${row.osm_id}`) : 0)
  }

  /** The inputs of a row's status that are not in the log. */
  stated(row: number): StatedRow {
    return {
      id: this.ids[row] ?? 0,
      season: this.facts[row]?.season,
      state: this.states[row],
      state_since: this.statesSince[row],
      last_listed: this.listed[row],
      last_confirmed: this.seen[row],
    }
  }

  #shareAny(text: string | null | undefined): string | undefined {
    return text ? this.#share(text) : undefined
  }

  #share(text: string): string {
    const known = this.#shared.get(text)
    if (known !== undefined) return known
    this.#shared.set(text, text)
    return text
  }

  #shareFacts(facts: MapFacts): MapFacts {
    const key = JSON.stringify(facts)
    const known = this.#facts.get(key) ?? facts
    this.#facts.set(key, known)
    return known
  }

  #shareSet(amenities: readonly string[]): readonly string[] {
    const key = amenities.join('\n')
    const known = this.#sets.get(key)
    if (known) return known
    this.#sets.set(key, amenities)
    return amenities
  }
}
