import type { Waypoint } from '../data/records.ts'
import type { Region } from '../data/region.ts'
import type { Format, Messages } from '../messages.ts'
import { kindOf } from '@openfountain/core/vocabulary'
import { nameIn, shownName, type Nameable } from '../naming.ts'
import { site, type SiteContext, type SiteLanguage } from './context.ts'
import { isIcon, type IconName } from './icons.ts'

/** A page in one language: its strings, its formats and the addresses it links to. */
export interface View {
  readonly site: SiteContext
  readonly tag: string
  /** Whether the page exists in `every` language, or in `one`, and a script translates its labels. */
  readonly languages: 'every' | 'one'
  readonly m: Messages
  readonly f: Format
  /** The licences of the data, for a sentence. */
  readonly licenses: string
  /** Address of a page that exists in each language, such as `leaderboard/`; the home page is the empty path. */
  page(path: string, tag?: string): string
  /** Address of a file of the site, such as `data/waypoints.csv`. */
  file(path: string): string
  /** The same with scheme and host where the operator gave them. */
  absolute(address: string): string
  /** Address of a waypoint: its page, or its place on the map when it has none. */
  waypoint(id: number): string
  /** The label of a user without a name: a program, or a deleted account. */
  unnamed(userId: string): 'system' | 'former'
  /** The title of a waypoint: its own name, else its kind and place, in this language. */
  title(waypoint: Nameable): string
  /** The title of the waypoint with an id, or its number when no name is known. */
  nameOf(waypointId: number): string
  region(region: Region, page?: number): string
  /** An amenity in this language; unknown ones are returned unchanged. */
  amenity(key: string): string
  /** A field in this language; unknown ones are returned unchanged. */
  field(name: string): string
  regionName(region: Region): string
  /** The key of a label, where a script translates it. */
  label<Key extends string>(key: Key): Key | undefined
  /** The initials of a name, one or two letters. */
  initials(name: string): string
}

/** The languages that pages are built in, `every` one or the default `one`, as Astro's static paths; the default has no prefix. */
export function languagePaths(languages: 'every' | 'one' = 'every') {
  const tags = site().languages.map(({ tag }, index) => (index === 0 ? undefined : tag))
  return tags.slice(0, languages === 'one' ? 1 : undefined).map((language) => ({ params: { language } }))
}

/** The parameters of a page's address. */
type Params = Readonly<Record<string, string | undefined>>

/**
 * The view of a page and of its components, in the language of its address, that of a fountain in the language of its
 * region; default that of the home page.
 */
export function viewOf({ params }: { readonly params: Params } = { params: { language: undefined } }): View {
  const context = site()
  const [first] = context.languages
  const languages = 'region' in params ? context.regionLanguages : 'language' in params ? 'every' : 'one'
  const wanted = params['language'] ?? context.fountainLanguages.get(params['waypoint'] ?? '')
  const language: SiteLanguage = context.languages.find(({ tag }) => tag === wanted) ?? first
  const { messages, format } = language
  const amenities: Readonly<Record<string, string>> = messages.amenity
  const fields: Readonly<Record<string, string>> = messages.field
  const file = (path: string): string => `${context.base}${path}`
  const amenity = (key: string): string => (Object.hasOwn(amenities, key) ? (amenities[key] ?? key) : key)
  const title = (waypoint: Nameable): string =>
    shownName(waypoint, { tag: language.tag, unnamed: messages.waypoint.unnamed, amenity })
  const home = file(language.tag === first.tag ? '' : `${language.tag}/`)
  return {
    site: context,
    tag: language.tag,
    languages,
    m: messages,
    f: format,
    licenses: context.data.folder.licenses.join(', '),
    file,
    page: (path, other = language.tag) => file(other === first.tag ? path : `${other}/${path}`),
    absolute: (address) => (context.origin === undefined ? address : `${context.origin}${address}`),
    waypoint: (id) => (context.data.hasPage(id) ? file(`waypoint/${id}/`) : `${home}?fountain=${id}`),
    unnamed: (userId) => (userId === 'api' ? 'system' : 'former'),
    title,
    nameOf(waypointId) {
      const known = context.data.named(waypointId)
      return known === undefined ? `#${waypointId}` : title(known)
    },
    region({ slug }, page = 1) {
      const path = `regions/${slug}/${page > 1 ? `${page}/` : ''}`
      return context.regionLanguages === 'one' ? file(path) : `${home}${path}`
    },
    amenity,
    field: (name) => (Object.hasOwn(fields, name) ? (fields[name] ?? name) : name),
    regionName: ({ kind, name, town }) =>
      town
        ? nameIn(town, language.tag)
        : kind === 'country'
          ? format.country(name)
          : kind === 'subdivision'
            ? (context.subdivisions[name]?.[language.tag] ?? context.subdivisions[name]?.[''] ?? name)
            : name || messages.site.noRegion,
    label: (key) => (languages === 'one' ? key : undefined),
    initials,
  }
}

function initials(name: string): string {
  const words = name.match(/[\p{L}\p{N}]+/gu) ?? []
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined]
  return letters
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toUpperCase()
}

/**
 * The attributes that make the script of lists follow one, with the log entry to start from; none on a site without an
 * API.
 */
export function liveList({ api, data }: SiteContext, kind: 'changes' | 'region'): Record<string, string> {
  const { log } = data.folder
  return api !== undefined && log ? { 'data-live-list': kind, 'data-live-head': `${log.id} ${log.hash}` } : {}
}

/** The icon of an amenity; unknown ones have a plain tag. */
export function amenityIcon(key: string): IconName {
  return isIcon(key) && site().languages[0].messages.amenity[key as 'tap'] !== undefined ? key : 'amenity'
}

const eventIcons: Readonly<Record<string, IconName>> = {
  createWaypoint: 'created',
  editWaypoint: 'edited',
  postReview: 'star',
  waypointVerified: 'verified',
}

/** The icon of an event that earns XP. */
export function eventIcon(event: string): IconName {
  return eventIcons[event] ?? 'trophy'
}

/** The icon of a waypoint: its first kind in the vocabulary's order, else a drop. */
export function kindIcon({ amenities }: Pick<Waypoint, 'amenities'>): IconName {
  return (kindOf(amenities) ?? 'water') as IconName
}

/** JSON for a script element: no text in it can end the element or begin a comment. */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}
