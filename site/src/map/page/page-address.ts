import type { Filter } from '../list/filter.ts'
import { type MapState, type Place, writeState } from '../data/state.ts'

/** The address of a page with the map. It has no place until the visitor moves the map. */
export class PageAddress {
  readonly #first: MapState
  /** The first place of the map, until it is moved. */
  #untouched: Place | undefined

  /** @param first the state in the page's initial address */
  constructor(first: MapState) {
    this.#first = first
  }

  /** Sets the first place of the map. */
  begin(place: Place): void {
    this.#untouched = this.#first.at ? undefined : place
  }

  /** Whether the map is still at its first view, which was in no address. */
  isUntouched(place: Place): boolean {
    return this.#untouched !== undefined && samePlace(place, this.#untouched)
  }

  /** Writes the state of the map into the address. An unsent fountain has no id that other pages know. */
  write(place: Place, filter: Filter, fountain: number | undefined): void {
    const isMoved = !this.isUntouched(place)
    if (isMoved) this.#untouched = undefined
    const at = isMoved ? place : this.#first.at
    const query = writeState({
      at,
      filter,
      ...(fountain !== undefined && fountain > 0 && { fountain }),
    })
    if (query !== location.search) history.replaceState(history.state, '', `${location.pathname}${query}`)
  }
}

function samePlace(one: Place, other: Place): boolean {
  const near = (a: number, b: number) => Math.abs(a - b) < 1e-6
  return (
    near(one.latitude, other.latitude) && near(one.longitude, other.longitude) && near(one.zoom, other.zoom)
  )
}
