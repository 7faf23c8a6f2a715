import type { Rules } from '@openfountain/core'
import type { MapCredits } from '../data/map-credits.ts'
import type { RegistryData } from '../data/registry.ts'
import type { baseShapes } from '../drawing/base-tiles.ts'
import type { Format, Messages } from '../messages.ts'
import type { CellIndex } from '../map/data/cell.ts'
import type { StyleConfig } from '../map/data/config.ts'
import type { StreetFiles } from '../streets/files.ts'
import type { PageChoice } from './build-cache.ts'
import type { Pictures } from './preview.ts'
import type { ContentSecurityPolicy } from './policy.ts'
import type { Theme } from './tokens.ts'

export interface SiteLanguage {
  readonly tag: string
  readonly messages: Messages
  readonly format: Format
}

/** The inputs of all pages. One build has one context, which pages get from `site()`. */
export interface SiteContext {
  readonly data: RegistryData
  readonly title: string
  /** Path of the site's root on its host, with a slash at both ends. */
  readonly base: string
  readonly origin?: string
  readonly api?: string
  readonly registration?: 'open' | 'invite' | 'closed'
  readonly imageHosts?: readonly string[]
  /** Colours of the page and of what can be pressed, in both themes. */
  readonly paper: Readonly<Record<Theme, string>>
  readonly accent: Readonly<Record<Theme, string>>
  readonly style?: StyleConfig
  readonly streets?: StreetFiles
  /** The default language first. */
  readonly languages: readonly [SiteLanguage, ...SiteLanguage[]]
  readonly rules: Rules
  /** Whether pages of regions exist in `every` language, or in `one` whose labels a script translates. */
  readonly regionLanguages: 'every' | 'one'
  readonly contributorPages: ReadonlySet<string>
  /** The languages of the pages of fountains, by id: that of the region, else the default one. */
  readonly fountainLanguages: ReadonlyMap<string, string>
  /** The pictures that others show beside links; none without an address of the host. */
  readonly pictures?: Pictures
  /** Reads the base map, whose file is not found from where pages are bundled. */
  readonly shapes: typeof baseShapes
  /** The parties of the attribution line, and the party of each fountain. */
  readonly credits: MapCredits
  /** The first day on which the map needs the file of turns; absent when it is never needed. */
  readonly turns?: string
  /** The index of the map's cells where it is short enough to be in the page. */
  readonly cells?: CellIndex
  /** Names of subdivisions by code (ISO 3166-2) and language; the empty language is the local one. */
  readonly subdivisions: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Address of the drawings, one symbol each. */
  readonly icons: string
  /** Address of the bundled base map, unless there is a style in its place. */
  readonly land?: string | undefined
  /** Address of the script of all pages, once it is bundled. */
  script?: string
  mapScripts?: readonly string[]
  readonly policy: ContentSecurityPolicy
  readonly toMake: PageChoice
  readonly onPage: () => void
}

const slot = Symbol.for('@openfountain/site/context')

/** Provides the context to the pages, which are bundled separately from this module and share only the global object. */
export function provideContext(context: SiteContext | undefined): void {
  Reflect.set(globalThis, slot, context)
}

export function site(): SiteContext {
  const context: SiteContext | undefined = Reflect.get(globalThis, slot)
  if (!context) throw new Error('Pages are made by buildSite(); call it instead of astro')
  return context
}
