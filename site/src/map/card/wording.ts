import { fill, type Format, formatFor, type Plural } from '../../messages.ts'
import { shownName, type Nameable } from '../../naming.ts'
import type { MapConfig, MapStrings } from '../data/config.ts'
import { directionOf } from '../page/position.ts'
import { kinds } from './icons.ts'

/** The page's strings, with numbers, distances and names formatted in its language. */
export class Wording {
  readonly strings: MapStrings
  readonly format: Format
  readonly #short: Intl.NumberFormat

  constructor({ strings, language }: Pick<MapConfig, 'strings' | 'language'>) {
    this.strings = strings
    this.format = formatFor(language)
    this.#short = new Intl.NumberFormat(language, { maximumFractionDigits: 1 })
  }

  /** Metres to 10, kilometres to 0.1 below 100. */
  distance(metres: number): string {
    const { map } = this.strings
    if (metres < 995)
      return fill(map.distanceMetres, { n: this.format.number(Math.max(10, Math.round(metres / 10) * 10)) })
    const kilometres = metres / 1000
    return fill(map.distanceKilometres, {
      n: kilometres < 100 ? this.#short.format(kilometres) : this.format.number(Math.round(kilometres)),
    })
  }

  /** A direction such as ‘to the north-east’, from degrees clockwise from north. */
  direction(bearing: number): string {
    const { map } = this.strings
    return fill(map.bearing, { direction: map.directions[directionOf(bearing)] })
  }

  /** An amenity's name; one that is not in the vocabulary is returned unchanged. */
  amenity(key: string): string {
    const names: Readonly<Record<string, string>> = this.strings.amenity
    return (Object.hasOwn(names, key) ? names[key] : undefined) ?? key
  }

  /** What a fountain is called; one whose name was made by what it is and where. */
  nameOf(fountain: Nameable): string {
    return shownName(fountain, kinds, {
      unnamed: this.strings.waypoint.unnamed,
      amenity: (key) => this.amenity(key),
    })
  }

  /** A region with its number of fountains, such as ‘Old Harbour (12)’. */
  region(name: string, fountains: number): string {
    return `${this.format.isolate(name)} (${this.format.number(fountains)})`
  }

  rating(rating: number): string {
    return fill(this.strings.waypoint.stars, { n: this.#short.format(rating) })
  }

  count(plural: Plural, n: number): string {
    return this.format.count(plural, n)
  }
}
