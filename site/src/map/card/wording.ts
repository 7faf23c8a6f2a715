import { fill, type Format, formatFor, type Plural } from '../../messages.ts'
import { shownName, type Nameable } from '../../naming.ts'
import type { MapConfig, MapStrings } from '../data/config.ts'
import { directionOf } from '../page/position.ts'
import { kinds } from '../../kinds.ts'
import { seasonWords } from '../../hours/season.ts'
import { today, type Stage } from '../../status/stage.ts'
import { aged, statusText, shortOf, type Strings } from '../../status/words.ts'

/** The page's strings, with numbers, distances and names formatted in its language. */
export class Wording {
  readonly strings: MapStrings
  readonly format: Format
  /** Texts of status and hours, by section and key. */
  readonly flat: Strings
  readonly #short: Intl.NumberFormat

  constructor({ strings, language }: Pick<MapConfig, 'strings' | 'language'>) {
    this.strings = strings
    this.format = formatFor(language)
    this.flat = {
      'site.labelled': strings.labelled,
      ...prefixed('status', strings.status),
      ...prefixed('hours', strings.hours),
    }
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

  /** The status of a fountain as of today, in a sentence; undefined when it is unknown. */
  stage(stage: Stage): string | undefined {
    const statusLine = statusText(this.flat, this.strings.count, this.format, stage)
    return statusLine && aged(this.format, statusLine, today())
  }

  /** The same in a word or two. */
  state({ state }: Pick<Stage, 'state'>): string | undefined {
    return shortOf(this.flat, state)
  }

  season(season: string): string {
    return seasonWords(this.flat, this.format, season)
  }

  /** An amenity's name; unknown ones are returned unchanged. */
  amenity(key: string): string {
    const names: Readonly<Record<string, string>> = this.strings.amenity
    return (Object.hasOwn(names, key) ? names[key] : undefined) ?? key
  }

  /** The title of a fountain: its own name, or a generated one from its kind and place. */
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

function prefixed(section: string, strings: Strings): Strings {
  return Object.fromEntries(Object.entries(strings).map(([key, text]) => [`${section}.${key}`, text]))
}
