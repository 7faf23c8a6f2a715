import type { Rules } from '@openfountain/core'
import { bundleAccount } from '../account/build.ts'
import { bundleContribute } from '../contribute/build.ts'
import type { DeclaredField } from '../custom-fields.ts'
import { bundleDesk } from '../desk/build.ts'
import { bundleExplore } from '../explore/build.ts'
import { bundleMap, type MapScripts } from '../map/build/bundle.ts'
import type { SiteContext } from './context.ts'
import type { CheckedOptions } from './options.ts'

export interface BundlesOptions extends Pick<SiteContext, 'languages'> {
  /** The root of the site that is being written. */
  readonly outDir: string
  readonly checked: CheckedOptions
  readonly rules: Rules
  /** The custom fields that the registry declares. */
  readonly custom: readonly DeclaredField[]
  /** Whether the operator has a map style of their own, and whether there are streets. */
  readonly style: boolean
  readonly streets: boolean
}

/**
 * All files that browsers load beside pages: scripts of the map and the data and, with an API, the scripts that ask it.
 */
export interface Bundles extends Pick<SiteContext, 'account' | 'contribute' | 'desk' | 'explore' | 'live'> {
  readonly map: MapScripts
}

/** Writes the scripts and styles of a site that Astro does not bundle. */
export async function bundleAll(options: BundlesOptions): Promise<Bundles> {
  const { outDir, checked, languages, rules, custom, style, streets } = options
  const { base, api, origin } = checked
  const place = { outDir, base }
  const map = await bundleMap({ ...place, style, streets, live: api !== undefined })
  const explore = await bundleExplore(place)
  if (api === undefined) return { map, explore }
  const contribute = await bundleContribute({ ...place, languages, rules, custom })
  const account = await bundleAccount({ ...place, api, origin, languages, custom, forms: contribute })
  const desk = await bundleDesk(place)
  return { map, explore, contribute, account, live: map.live, desk }
}
