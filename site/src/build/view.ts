import { declaredFields, titlesOf } from '../custom-fields.ts'
import type { Waypoint } from '../data/records.ts'
import type { Region } from '../data/region.ts'
import type { Format, Messages } from '../messages.ts'
import { kindOf } from '@openfountain/core/vocabulary'
import { nameIn } from '../naming.ts'
import { flattened } from '../texts.ts'
import { Page } from '../views/page.ts'
import { site, type SiteContext, type SiteLanguage } from './context.ts'
import type { IconName } from './icons.ts'

export class View extends Page {
  readonly site: SiteContext
  readonly m: Messages

  constructor(
    site: SiteContext,
    { tag, messages, format }: SiteLanguage,
    languages: View['languages'] = 'every',
  ) {
    const { texts, counts } = flattened(messages)
    super({
      strings: texts,
      counts,
      format,
      base: site.base,
      prefix: prefixOf(site, tag),
      icons: site.icons,
      custom: titlesOf(declaredFields(site.data.folder.registry.properties)),
      isSwitched: languages === 'one',
      hasRegions: site.regionLanguages === 'every',
      hasForms: site.api !== undefined,
      isBuilt: true,
      ...(site.imageHosts && { imageHosts: site.imageHosts }),
    })
    this.site = site
    this.m = messages
  }

  get f(): Format {
    return this.format
  }

  get tag(): string {
    return this.format.tag
  }

  /** Whether the page exists in `every` language, or in `one`, and a script translates its labels. */
  get languages(): 'every' | 'one' {
    return this.isSwitched ? 'one' : 'every'
  }

  get licenses(): string {
    return this.site.data.folder.licenses.join(', ')
  }

  page(path: string, tag = this.tag): string {
    return this.file(`${prefixOf(this.site, tag)}${path}`)
  }

  /** Address of a file of the site, such as `data/waypoints.csv`. */
  file(path: string): string {
    return `${this.base}${path}`
  }

  /** The same with scheme and host where the operator gave them. */
  absolute(address: string): string {
    return `${this.site.origin ?? ''}${address}`
  }

  waypoint(id: number): string {
    return this.fountain(id, this.site.data.hasPage(id))
  }

  nameOf(waypointId: number): string {
    const known = this.site.data.named(waypointId)
    return known === undefined ? `#${waypointId}` : this.title(known)
  }

  region({ slug }: Region, page = 1): string {
    const path = `regions/${slug}/${page > 1 ? `${page}/` : ''}`
    return this.hasRegions ? this.page(path) : this.file(path)
  }

  get addOfVisitors(): string {
    const { add, addInvited, addMember } = this.m.contribute
    return { open: add, invite: addInvited, closed: addMember }[this.site.registration ?? 'open']
  }

  field(name: string): string {
    return this.find(`field.${name}`) ?? name
  }

  regionName({ kind, name, town }: Region): string {
    if (town) return nameIn(town, this.tag)
    if (kind === 'country') return this.f.country(name)
    const names = kind === 'subdivision' ? this.site.subdivisions[name] : undefined
    return names?.[this.tag] ?? names?.[''] ?? (name || this.m.site.noRegion)
  }
}

const prefixOf = ({ languages: [first] }: SiteContext, tag: string): string =>
  tag === first.tag ? '' : `${tag}/`

/** The languages that pages are built in, `every` one or the default `one`, as Astro's static paths; the default has no prefix. */
export function languagePaths(languages: 'every' | 'one' = 'every') {
  const tags = site().languages.map(({ tag }, index) => (index === 0 ? undefined : tag))
  return tags.slice(0, languages === 'one' ? 1 : undefined).map((language) => ({ params: { language } }))
}

type Params = Readonly<Record<string, string | undefined>>

/** The view of a page and its components, in the language of its address, or of its region; default that of the home page. */
export function viewOf({ params }: { readonly params: Params } = { params: { language: undefined } }): View {
  const context = site()
  const languages = 'region' in params ? context.regionLanguages : 'language' in params ? 'every' : 'one'
  const wanted = params['language'] ?? context.fountainLanguages.get(params['waypoint'] ?? '')
  const language = context.languages.find(({ tag }) => tag === wanted) ?? context.languages[0]
  return (views[`${languages} ${language.tag}`] ??= new View(context, language, languages))
}

/** Each build loads this module anew. */
const views: Record<string, View> = {}
const rendered = new Map<string, Promise<string>>()

/** Markup by what it depends on. */
export function once(name: string, render: () => Promise<string>): Promise<string> {
  const found = rendered.get(name) ?? render()
  rendered.set(name, found)
  return found
}

export function initials(name: string): string {
  const words = name.match(/[\p{L}\p{N}]+/gu) ?? []
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined]
  return letters
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toUpperCase()
}

/** The attributes that make the script of lists follow one from a log entry on; none on a site without an API. */
export function liveList({ api, data }: SiteContext, kind: 'changes' | 'region'): Record<string, string> {
  const { log } = data.folder
  return api !== undefined && log ? { 'data-live-list': kind, 'data-live-head': `${log.id} ${log.hash}` } : {}
}

export function kindIcon({ amenities }: Pick<Waypoint, 'amenities'>): IconName {
  return (kindOf(amenities) ?? 'water') as IconName
}

/** JSON for a script element: no text in it can end the element or begin a comment. */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}
