import type { Rules } from '@openfountain/core'
import type { ExportWriter } from './options.ts'
import type { SitePlan } from './plan.ts'
import type { SiteProgress } from './report.ts'
import type { SiteWarning } from './warnings.ts'

/** The options of a build. Only `data` and `out` are required. */
export interface SiteOptions {
  /**
   * The folder of an export, as `exportRegistry` and `openfountain export` write it; or a function that writes one into
   * an empty folder, such as `(out) => exportRegistry(registry, { out })`. The function is called once all other
   * options are checked, and its files are in the site alone.
   */
  readonly data: string | ExportWriter
  /**
   * With a function as `data`: a text that differs after each change of the function's output, such as `await
   * exportState(registry, {})`. When it equals that of the replaced site, the files of its folder `data` are reused,
   * and the function is not called. Default none: it is called.
   */
  readonly dataState?: string
  /** The folder to write; an earlier site in it is replaced once the new one is complete. */
  readonly out: string
  /**
   * Makes `out` a symbolic link to the site's folder, which is beside it, so that a new site replaces the earlier one
   * in one step. By default, and where there are no such links, `out` is the folder itself and is missing for a moment
   * during the replacement. An `out` that is such a link stays one.
   */
  readonly linked?: boolean
  /** Path of the site on its host, such as `/fountains`; default the path of `url`, else `/`. */
  readonly base?: string
  /**
   * Address or path of the API, such as `/api`; default none. With it people sign in on the site and have a page of their
   * account; on another origin the API must allow this one (`allowedOrigins`), and both must be of one domain.
   */
  readonly api?: string
  /** Who may sign up at the API, as buttons for visitors then say: everybody (the default), invited people, or nobody. */
  readonly registration?: 'open' | 'invite' | 'closed'
  /** Hosts whose pictures visitors' browsers load, such as `upload.wikimedia.org`; default none: an address of a picture is a link. */
  readonly imageHosts?: readonly string[]
  /** The site's name; default the registry's. */
  readonly title?: string
  /** Address or path of a MapLibre style to use as base map; default the bundled land. */
  readonly style?: string
  /**
   * Streets: a PMTiles file of Protomaps' vector tiles, which becomes part of the site; the http: or https: address of one on a
   * host that sends parts of files; or `openfreemap`, which browsers then ask for all of the base map. Default none.
   */
  readonly basemap?: string
  /** Language tags, the default language first; default all available ones, English first. */
  readonly languages?: readonly string[]
  /** How many waypoints get a page, latest changes first: `none`, a number or `all`; default as many as usual hosts take (20,000 files, 1 GB). */
  readonly pages?: 'none' | 'all' | number
  /** More places for the search, and names of subdivisions: a GeoJSON file of features with `name`, such as boundaries. Default none. */
  readonly places?: string
  /** A folder whose files are copied into the site, also hidden ones such as `.htaccess`; none may be named as one of the site. Default none. */
  readonly extra?: string
  /** Address at which the site will be published; needed for sitemap, canonical links and oEmbed. */
  readonly url?: string
  /** The registry's rules when they are not the default ones. */
  readonly rules?: Rules
  /** Aborts the build with its reason; the site at `out` stays, and no file is left beside it. */
  readonly signal?: AbortSignal
  onProgress?(progress: SiteProgress): void
  /** Called once, before pages are made, with how large the site will be. */
  onPlan?(plan: SitePlan): void
  /** Called with warnings; default `process.emitWarning`. */
  onWarning?(warning: SiteWarning): void
}
