import { kindOf } from '@openfountain/core/vocabulary'
import type { IconName } from '../build/icons.ts'
import { fill, type Format } from '../messages.ts'
import { shownName, type Nameable } from '../naming.ts'
import { today } from '../status/stage.ts'
import type { Counts, CountKey, TextKey, Texts } from '../texts.ts'

export class PageOptions {
  declare readonly strings: Texts
  declare readonly counts: Counts
  declare readonly format: Format
  /** Path of the site on its host, with a slash at both ends. */
  declare readonly base: string
  /** The prefix of a page's path in this language; empty or with a slash at its end. */
  declare readonly prefix: string
  /** Address of the drawings, one symbol each. */
  declare readonly icons: string
  declare readonly custom: readonly (readonly [name: string, title: string])[]
  /** Whether another script translates the labels of this page. */
  declare readonly isSwitched: boolean
  declare readonly hasRegions: boolean
  /** Whether people contribute on this site. */
  declare readonly hasForms: boolean
  /** Hosts whose pictures are shown, beside links to others'; default none. */
  declare readonly imageHosts?: readonly string[]
  declare readonly isBuilt: boolean
  /** The time of the visit; absent when the site is built, and while the built page is taken over. */
  declare readonly now?: Date | undefined
  /** The browser's; absent as `now`. */
  declare readonly userAgent?: string | undefined

  constructor(options: PageOptions) {
    Object.assign(this, options)
  }
}

/** Metres as the crow flies that are walked in a minute: streets make ways a third longer. */
const walkedMetres = 60

const longestWalkMetres = 5000

/** The attributes and the text of an element with one text of the site. */
export interface Said {
  readonly 'data-t': string | undefined
  readonly children: string
}

/** The page that a view is on: texts, formats and addresses in one language. */
export class Page extends PageOptions {
  with(options: Partial<PageOptions>): Page {
    return new Page({ ...this, ...options })
  }

  /** The day of the visit; undefined when the site is built. */
  get today(): string | undefined {
    return this.now && today()
  }

  text(key: TextKey, values: Parameters<typeof fill>[1] = {}): string {
    return fill(this.strings[key] ?? key, values)
  }

  find(key: string): string | undefined {
    return Object.hasOwn(this.strings, key) ? this.strings[key] : undefined
  }

  /** The key of a label, where a script translates it. */
  key<Key extends string>(key: Key): Key | undefined {
    return this.isSwitched ? key : undefined
  }

  /** An element's text, with its key where a script translates it. */
  said(key: TextKey): Said {
    return { 'data-t': this.key(key), children: this.text(key) }
  }

  /** The same where the text may be unknown: then the fallback, in any language. */
  saidOr(key: string, fallback: string): Said {
    const text = this.find(key)
    return { 'data-t': text === undefined ? undefined : this.key(key), children: text ?? fallback }
  }

  plural(key: CountKey, n: number): string {
    const plural = this.counts[key]
    return plural ? this.format.count(plural, n) : String(n)
  }

  /** The same as an element's text. */
  counted(key: CountKey, n: number) {
    return { 'data-count': this.key(key), 'data-n': this.key(String(n)), children: this.plural(key, n) }
  }

  /** A number that stays right in any language. */
  number(value: number) {
    return { 'data-number': this.key(String(value)), children: this.format.number(value) }
  }

  date(at: string) {
    return { datetime: at, 'data-date': this.key(''), children: this.format.date(at) }
  }

  distance(metres: number): string {
    return this.format.distance(this.strings, metres)
  }

  /** How long the way on foot takes; undefined for a way that is too long for it. */
  walk(metres: number): string | undefined {
    if (metres > longestWalkMetres) return undefined
    return this.text('map.walk', { n: this.format.number(Math.max(1, Math.round(metres / walkedMetres))) })
  }

  /** A distance to the metre below 100 m, where it decides which fountain is meant. */
  nearDistance(metres: number): string {
    const n = this.format.number(Math.round(metres))
    return metres < 100 ? this.text('map.distanceMetres', { n }) : this.distance(metres)
  }

  amenity(key: string): string {
    return this.find(`amenity.${key}`) ?? key
  }

  amenityIcon(key: string): IconName {
    return this.find(`amenity.${key}`) === undefined ? 'amenity' : (key as IconName)
  }

  kindIcon({ amenities }: Pick<Nameable, 'amenities'>): IconName {
    return (kindOf(amenities) ?? 'water') as IconName
  }

  /** The title of a fountain: its own name, else its kind and place. */
  title(fountain: Nameable): string {
    return shownName(fountain, { tag: this.format.tag, amenity: (key) => this.amenity(key) })
  }

  /** Address of a page that exists in each language, such as `leaderboard/`. */
  address(path: string): string {
    return `${this.base}${this.prefix}${path}`
  }

  fountain(id: number, hasPage: boolean): string {
    return hasPage ? `${this.base}waypoint/${id}/` : this.address(`?fountain=${id}`)
  }
}
