import type { Waypoint } from '../data/records.ts'
import { contributorSlug } from '../data/contributors.ts'
import type { Region } from '../data/region.ts'
import type { Format, Messages } from '../messages.ts'
import { kindOf, kinds } from '../kinds.ts'
import { mapQuery } from '../map/query.ts'
import { shownName, type Nameable } from '../naming.ts'
import { site, type SiteContext, type SiteLanguage } from './context.ts'
import { isIcon, type IconName } from './icons.ts'

/** A page in one language: its strings, its formats and the addresses it links to. */
export interface View {
  readonly site: SiteContext
  readonly tag: string
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
  /** Address of the map centred on a place, with a waypoint's card open when one is given. */
  map(place: { latitude: number; longitude: number; zoom: number }, waypointId?: number): string
  /** Address of a contributor's page; undefined without a page. */
  contributor(id: string): string | undefined
  /** The label of a user without a name: a program, or a deleted account. */
  unnamed(userId: string): 'system' | 'former'
  /** The title of a waypoint: its own name, else its kind and place, in this language. */
  title(waypoint: Nameable): string
  /** The title of the waypoint with an id, or its number when no name is known. */
  nameOf(waypointId: number): string
  region(region: Region, page?: number): string
  /** An amenity in this language; unknown ones are returned unchanged. */
  amenity(key: string): string
  /** A choice field's value in this language; unknown ones are returned unchanged. */
  choice(field: string, value: string): string
  /** A field in this language; unknown ones are returned unchanged. */
  field(name: string): string
  regionName(region: Region): string
  /** The initials of a name, one or two letters. */
  initials(name: string): string
}

/** The languages that pages are built in, as Astro's static paths. The default one has no prefix. */
export function languagePaths(): { params: { language: string | undefined }; props: { tag: string } }[] {
  return site().languages.map(({ tag }, index) => ({
    params: { language: index === 0 ? undefined : tag },
    props: { tag },
  }))
}

/** The view of one language; default the site's own. */
export function viewOf(tag?: string): View {
  const context = site()
  const [first] = context.languages
  const language: SiteLanguage = context.languages.find((one) => one.tag === tag) ?? first
  const { messages, format } = language
  const amenities: Readonly<Record<string, string>> = messages.amenity
  const fields: Readonly<Record<string, string>> = messages.field
  const choices: Readonly<Record<string, string>> = messages.fact
  const file = (path: string): string => `${context.base}${path}`
  const amenity = (key: string): string => (Object.hasOwn(amenities, key) ? (amenities[key] ?? key) : key)
  const title = (waypoint: Nameable): string =>
    shownName(waypoint, kinds, { unnamed: messages.waypoint.unnamed, amenity })
  const home = file(language.tag === first.tag ? '' : `${language.tag}/`)
  return {
    site: context,
    tag: language.tag,
    m: messages,
    f: format,
    licenses: context.data.folder.licenses.join(', '),
    file,
    page: (path, other = language.tag) => file(other === first.tag ? path : `${other}/${path}`),
    absolute: (address) => (context.origin === undefined ? address : `${context.origin}${address}`),
    waypoint: (id) => (context.data.hasPage(id) ? file(`waypoint/${id}/`) : `${home}?fountain=${id}`),
    map: (place, waypointId) => `${home}${mapQuery(place, waypointId)}`,
    contributor: (id) =>
      context.contributorPages.has(id) ? file(`contributor/${contributorSlug(id)}/`) : undefined,
    unnamed: (userId) => (userId === 'api' ? 'system' : 'former'),
    title,
    nameOf(waypointId) {
      const known = context.data.named(waypointId)
      return known === undefined ? `#${waypointId}` : title(known)
    },
    region: ({ slug }, page = 1) =>
      file(
        `${language.tag === first.tag || context.regionLanguages === 'one' ? '' : `${language.tag}/`}regions/${slug}/${page > 1 ? `${page}/` : ''}`,
      ),
    amenity,
    choice: (field, value) => choices[`${field}.${value}`] ?? value,
    field: (name) => (Object.hasOwn(fields, name) ? (fields[name] ?? name) : name),
    regionName: ({ kind, name }) =>
      kind === 'country'
        ? format.country(name)
        : kind === 'subdivision'
          ? (context.subdivisions[name]?.[language.tag] ?? context.subdivisions[name]?.[''] ?? name)
          : name || messages.site.noRegion,
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
