import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build as buildAstro, type AstroIntegration } from 'astro'
import { defaultRules, type Rules } from '@openfountain/core'
import { vocabulary } from '@openfountain/core/vocabulary'
import { leaders } from '../data/contributors.ts'
import { openExportFolder, type ExportFolder } from '../data/folder.ts'
import { readKnownPlaces, subdivisionNames } from '../data/known-places.ts'
import { ExportFolderError } from '../data/problem.ts'
import { bundleAccount } from '../account/build.ts'
import { bundleContribute } from '../contribute/build.ts'
import { headerScript } from '../account/header-script.ts'
import { bundleDesk } from '../desk/build.ts'
import { loadRegistry, readTotals, surveyWaypoints } from '../data/registry.ts'
import type { InvalidRecord } from '../data/stream.ts'
import { bundleLive } from '../live/build.ts'
import { bundleMap, type EngineMismatch, type MapEngine } from '../map/build/bundle.ts'
import { writeCells } from '../map/build/cells.ts'
import { writeMapFiles } from '../map/build/files.ts'
import { RowColumns } from '../map/build/rows.ts'
import { dataVersion } from './map-config.ts'
import { writeServiceWorker } from '../offline/build.ts'
import { earlyScript } from '../client/early-script.ts'
import { themeScript } from '../client/theme-script.ts'
import { provideContext, type SiteContext, type SiteLanguage } from './context.ts'
import { readAtlas } from '../drawing/atlas.ts'
import { landFiles } from '../drawing/surroundings.ts'
import { writeIcons } from './icons.ts'
import { loadLanguages } from './languages.ts'
import { checkOptions, type CheckedOptions, type ExportWriter } from './options.ts'
import { openOutput, type Output } from './output.ts'
import {
  amountIn,
  amountOf,
  beyondLimits,
  beyondText,
  planSite,
  usualLimits,
  withCells,
  type Amount,
  type SitePlan,
} from './plan.ts'
import { contentSecurityPolicy } from './policy.ts'
import { digestShared, haveSameAssets, readKept, Reuse, takeOver } from './reuse.ts'
import { openFreeMapStyle } from '../streets/choice.ts'
import { isNear, openStreets, writeStreets } from '../streets/files.ts'
import type { StyleConfig } from '../map/data/config.ts'
import { makeAstroRoot } from './astro-root.ts'

/** What to build from where to where. Only `data` and `out` are needed. */
export interface SiteOptions {
  /**
   * The folder of an export, as `exportRegistry` and `openfountain export` write it; or what writes one into an empty folder,
   * such as `(out) => exportRegistry(registry, { out })`. That is called once everything else is checked, and its files are
   * in the site alone.
   */
  readonly data: string | ExportWriter
  /** The folder to write; an earlier site in it is replaced once the new one is complete. */
  readonly out: string
  /**
   * Makes `out` a symbolic link to the site's folder, which is beside it, so that a site takes the place of the earlier one in
   * one step. Where there are no such links, and by default, `out` is the folder, and for a moment there is none while it is
   * replaced. An `out` that is such a link stays one.
   */
  readonly linked?: boolean
  /** Path of the site on its host, such as `/fountains`; default the path of `url`, else `/`. */
  readonly base?: string
  /**
   * Address or path of the API, such as `/api`; default none. With it people sign in on the site and have a page of their
   * account; on another origin the API must allow this one (`allowedOrigins`), and both must be of one domain.
   */
  readonly api?: string
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
  /**
   * How many waypoints get a page, most recently changed first: `none`, a number or `all`; default as many as the usual hosts
   * take with everything else (20,000 files, 1 GB).
   */
  readonly pages?: 'none' | 'all' | number
  /**
   * Places for the search beside those of the fountains, and names of subdivisions: a GeoJSON file of features with `name`, such as the
   * boundaries in which places are found, or CSV with name, latitude and longitude. Default none.
   */
  readonly places?: string
  /** Address at which the site will be published; needed for sitemap, canonical links and oEmbed. */
  readonly url?: string
  /** The registry's rules when they are not the default ones. */
  readonly rules?: Rules
  /**
   * `published` for MapLibre as its makers publish it, 200 kB more for each visitor; default `trimmed`, without what
   * the map never uses. A MapLibre that cannot be trimmed is used as published, with a warning.
   */
  readonly engine?: MapEngine
  /** Ends the build with its reason; what was at `out` stays, and nothing is left beside it. */
  readonly signal?: AbortSignal
  onProgress?(progress: SiteProgress): void
  /** Called once, before pages are made, with how large the site will be. */
  onPlan?(plan: SitePlan): void
  /** Called with warnings; default `process.emitWarning`. */
  onWarning?(warning: SiteWarning): void
}

/** Something that the site is built without. `message` is the warning in one line. */
export type SiteWarning =
  /** The map engine could not be trimmed; the site works with the published one. */
  | {
      readonly code: 'ENGINE_NOT_TRIMMED'
      /** The installed version of MapLibre. */
      readonly version: string
      readonly reason: string
      readonly message: string
    }
  /** The site is larger than what the usual hosts take. */
  | {
      readonly code: 'BEYOND_LIMITS'
      /** Of the whole site. */
      readonly files: number
      readonly bytes: number
      readonly message: string
    }
  /** The street map has no place where there are fountains. */
  | { readonly code: 'BASEMAP_ELSEWHERE'; readonly message: string }
  /** A waypoint, a review, a person or an area cannot be shown, and is left out. */
  | {
      readonly code: 'RECORD_SKIPPED'
      readonly file: string
      /** That of the record, where it has one. */
      readonly id?: number | string
      readonly reason: string
      readonly message: string
    }

export interface SiteProgress {
  readonly step:
    | 'waypoints'
    | 'changes'
    | 'reviews'
    | 'contributors'
    | 'pages'
    | 'files'
    | 'search'
    | 'basemap'
  readonly done: number
  /** How many there will be, where that is known. */
  readonly total?: number
}

/** What was built. */
export interface SiteReport {
  readonly out: string
  readonly pages: number
  readonly waypoints: number
  /** Waypoints that got a page of their own. */
  readonly waypointPages: number
  /** Pages of all kinds that were taken over from the site that was there before, because they would have come out the same. */
  readonly unchangedPages: number
  /** Of the whole site, downloads included. */
  readonly files: number
  readonly bytes: number
  /** What was expected of it. */
  readonly plan: SitePlan
  readonly languages: readonly string[]
  /** The map engine that was used. */
  readonly engine: MapEngine
  /** What is drawn below the fountains: the bundled land, with streets or without, or what somebody else has drawn. */
  readonly baseMap: 'land' | 'streets' | 'openfreemap' | 'style'
  /** The policy to send as a header where the host allows it, for all pages but embed/. */
  readonly contentSecurityPolicy: string
}

const root = fileURLToPath(new URL('../..', import.meta.url))

let queue: Promise<unknown> = Promise.resolve()

/**
 * Builds the static site of an export folder. Builds in one process run one after another. The folder `out`
 * changes only when the build succeeds.
 *
 * @throws {ExportFolderError} when the export is missing, incomplete, damaged or from a newer version.
 * @throws {SiteOptionError} when an option is invalid.
 */
export function buildSite(options: SiteOptions): Promise<SiteReport> {
  return buildWith(options)
}

/** Builds with the MapLibre of another folder than the installed one. */
export function buildWith(options: SiteOptions, mapLibre?: string): Promise<SiteReport> {
  const result = queue.then(() => buildNow(options, mapLibre))
  queue = result.catch(() => undefined)
  return result
}

async function buildNow(options: SiteOptions, mapLibre: string | undefined): Promise<SiteReport> {
  const { onWarning = emitWarning, signal } = options
  signal?.throwIfAborted()
  const checked = await checkOptions(options)
  const { data: given } = checked
  const existing = typeof given === 'string' ? await openExportFolder(given) : undefined
  const streets = await openStreets(checked.basemap)
  const places = checked.places === undefined ? [] : await readKnownPlaces(checked.places)
  const output = await openOutput(checked.out, checked)
  const onProgress = (progress: SiteProgress) => {
    signal?.throwIfAborted()
    options.onProgress?.(progress)
  }
  try {
    const folder = existing ?? (await exported(given, output.exportFolder))
    signal?.throwIfAborted()
    const onInvalid = (record: InvalidRecord) => onWarning(skippedWarning(record))
    const onStep = (step: SiteProgress['step'], done: number) => onProgress({ step, done })
    const rows = new RowColumns()
    const read = await surveyWaypoints(folder, {
      limit: checked.pages ?? usualLimits.files,
      onWaypoint: (waypoint) => rows.add(waypoint),
      onInvalid,
      onProgress: onStep,
    })
    const { bounds } = read.survey
    if (streets && !isNear(streets, bounds)) onWarning(elsewhereWarning)
    const style = styleOf(checked)
    const [first, ...others] = await loadLanguages(checked.languages)
    if (!first) throw new Error('no language')
    const map = await bundleMap({
      outDir: output.folder,
      base: checked.base,
      style: style !== undefined,
      streets: streets !== undefined,
      engine: checked.engine,
      ...(mapLibre !== undefined && { mapLibre }),
    })
    if (map.mismatch) onWarning(engineWarning(map.mismatch))
    const { api } = checked
    const rules = options.rules ?? defaultRules
    const contribute =
      api === undefined
        ? undefined
        : await bundleContribute({
            outDir: output.folder,
            base: checked.base,
            languages: [first, ...others],
            rules,
          })
    const account =
      api === undefined || contribute === undefined
        ? undefined
        : await bundleAccount({
            outDir: output.folder,
            base: checked.base,
            api,
            origin: checked.origin,
            languages: [first, ...others],
            forms: contribute,
          })
    const live =
      api === undefined ? undefined : await bundleLive({ outDir: output.folder, base: checked.base })
    const desk = account && (await bundleDesk({ outDir: output.folder, base: checked.base }))
    const streetFiles =
      streets &&
      (await writeStreets(streets, {
        outDir: output.folder,
        base: checked.base,
        languages: checked.languages,
        bounds,
        onProgress: (done, total) => onProgress({ step: 'basemap', done, total }),
      }))
    const icons = `${checked.base}${await writeIcons(output.folder)}`
    await writeMapFiles({
      rows,
      outDir: output.folder,
      baseMap: style === undefined,
      languages: [first, ...others],
      places,
    })
    onProgress({ step: 'search', done: rows.length, total: rows.length })
    const totals = await readTotals(folder)
    const { people, merged, ...plan } = planSite({
      wanted: checked.pages,
      waypoints: rows.length,
      regions: read.survey.regions.map(({ own }) => own),
      people: totals.totalUsers,
      languages: checked.languages.length,
      downloads: amountOf(folder),
      land: landFiles(read.newest).size,
      map: withCells(await amountIn(output.folder), rows),
    })
    options.onPlan?.(plan)
    const data = await loadRegistry(folder, {
      limit: plan.waypointPages,
      mergedLimit: merged,
      read,
      onInvalid,
      onProgress: onStep,
    })
    let pages = 0
    const built: Omit<SiteContext, 'reuse'> = {
      ...settings(checked),
      data,
      title: checked.title ?? folder.registry.name,
      languages: [first, ...others],
      rules,
      contributorPages: new Set(leaders(data.contributors.values(), people).map(({ id }) => id)),
      kinds: Object.entries(vocabulary).flatMap(([key, { role }]) => (role === 'kind' ? [key] : [])),
      icons,
      regionLanguages: plan.regionLanguages,
      subdivisions: subdivisionNames(places),
      atlas: readAtlas(),
      map,
      ...(account && { account }),
      ...(live && { live }),
      ...(contribute && { contribute }),
      ...(desk && { desk }),
      ...(style && { style }),
      ...(streetFiles && { streets: streetFiles }),
      policy: contentSecurityPolicy({
        scripts: [themeScript, earlyScript, ...(account === undefined ? [] : [headerScript])],
        connect: [checked.api, style?.light, streetFiles?.archive].flatMap((one) =>
          one?.startsWith('http') ? [one] : [],
        ),
      }),
      onPage() {
        signal?.throwIfAborted()
        pages += 1
        if (pages % 500 === 0) onProgress({ step: 'pages', done: pages })
      },
    }
    const { turns } = await writeCells(rows, {
      folder: join(output.folder, 'map'),
      dataTime: folder.dataTime,
      hasPage: data.hasPage,
      stagesOf: data.stagesOf,
    })
    const context = { ...built, ...(turns !== undefined && { turns }) }
    const { earlier } = output
    const shared = await digestShared(context)
    let reuse = new Reuse(shared, await readKept(earlier), earlier)
    await renderPages({ ...context, reuse }, output)
    if (reuse.unchanged.size > 0 && !(await haveSameAssets(earlier, output.folder))) {
      // Another version of what bundles scripts and styles: the earlier pages refer to files that are not there any more.
      reuse = new Reuse(shared, undefined, earlier)
      pages = 0
      // In a folder of its own: what was made in the other is a module that this process has loaded.
      await renderPages({ ...context, reuse }, { ...output, workFolder: join(output.workFolder, 'anew') })
    }
    await takeOver(reuse.unchanged, earlier, output.folder)
    pages += reuse.unchanged.size
    onProgress({ step: 'pages', done: pages, total: pages })
    await output.addExport(folder)
    onProgress({ step: 'files', done: folder.files.length, total: folder.files.length })
    await writeServiceWorker({
      outDir: output.folder,
      base: checked.base,
      version: dataVersion(folder),
      ...(account && { api: account.api }),
    })
    const amount = await amountIn(output.folder)
    if (beyondLimits(amount).length > 0) onWarning(beyondWarning(amount))
    signal?.throwIfAborted()
    await output.finish(JSON.stringify(reuse.kept))
    return {
      ...amount,
      plan,
      out: checked.out,
      pages,
      waypoints: data.survey.waypoints,
      waypointPages: data.waypoints.length,
      unchangedPages: reuse.unchanged.size,
      languages: context.languages.map(({ tag }: SiteLanguage) => tag),
      engine: map.engine,
      baseMap: streets ? 'streets' : checked.basemap ? 'openfreemap' : style ? 'style' : 'land',
      contentSecurityPolicy: context.policy.header,
    }
  } finally {
    await output.discard()
  }
}

/** Has an export written into a folder. */
async function exported(given: string | ExportWriter, folder: string): Promise<ExportFolder> {
  if (typeof given === 'string') return openExportFolder(given)
  await mkdir(folder)
  await given(folder)
  return openExportFolder(folder)
}

function engineWarning({ version, reason }: EngineMismatch): SiteWarning {
  const message = `MapLibre ${version} cannot be trimmed (${reason}): the map uses it as published, 200 kB more for each visitor`
  return { code: 'ENGINE_NOT_TRIMMED', version, reason, message: message.replaceAll(/\s+/gu, ' ') }
}

function skippedWarning({ code: _code, id, ...place }: InvalidRecord): SiteWarning {
  const { found } = new ExportFolderError({ code: 'INVALID_RECORD', ...place })
  const which = id === undefined ? 'A record' : `Record ${id}`
  const message = `${which} cannot be shown and is left out: ${found}`.replaceAll(/\s+/gu, ' ')
  return {
    code: 'RECORD_SKIPPED',
    file: place.file,
    ...(id !== undefined && { id }),
    reason: place.reason,
    message,
  }
}

function beyondWarning(amount: Amount): SiteWarning {
  return { code: 'BEYOND_LIMITS', ...amount, message: beyondText(amount) }
}

function emitWarning({ code, message }: SiteWarning): void {
  process.emitWarning(message, { code })
}

function settings({ base, origin, api }: CheckedOptions): Pick<SiteContext, 'base' | 'origin' | 'api'> {
  return {
    base,
    ...(origin !== undefined && { origin }),
    ...(api !== undefined && { api }),
  }
}

const elsewhereWarning: SiteWarning = {
  code: 'BASEMAP_ELSEWHERE',
  message: 'None of the fountains lies on the base map: it is of another place',
}

/** The base map that takes the place of the bundled one. */
function styleOf({ style, basemap }: CheckedOptions): StyleConfig | undefined {
  if (basemap?.kind === 'openfreemap') return { ...openFreeMapStyle, isCredited: true }
  return style === undefined ? undefined : { light: style, isCredited: false }
}

/**
 * Makes Astro keep its intermediate files in the work folder: without an adapter it would write them into the
 * working directory of the process, which may be any folder.
 */
function keepFilesIn(workFolder: string): AstroIntegration {
  return {
    name: 'openfountain-work-folder',
    hooks: {
      'astro:config:done': ({ setAdapter }) =>
        setAdapter({
          name: 'openfountain-work-folder',
          adapterFeatures: { buildOutput: 'static', preserveBuildServerDir: true },
          supportedAstroFeatures: { staticOutput: 'stable' },
        }),
      'astro:config:setup': ({ updateConfig }) => {
        updateConfig({ build: { server: pathToFileURL(`${workFolder}/server/`) } })
      },
    },
  }
}

/** From sources, the pages are made with those of other packages, which may not be built; the rest is Vite's default. */
function fromSources(platform: 'browser' | 'node'): { readonly conditions?: string[] } {
  if (!import.meta.url.endsWith('.ts')) return {}
  return { conditions: ['openfountain-source', 'module', platform, 'development|production'] }
}

async function renderPages(context: SiteContext, { folder, workFolder }: Output): Promise<void> {
  // Otherwise Astro sends telemetry about the build and keeps a file about it in the home folder.
  process.env['ASTRO_TELEMETRY_DISABLED'] = '1'
  provideContext(context)
  try {
    await buildAstro({
      configFile: false,
      root: await makeAstroRoot(workFolder, root, { accounts: context.account !== undefined }),
      outDir: folder,
      cacheDir: join(workFolder, 'cache'),
      base: context.base,
      ...(context.origin !== undefined && { site: context.origin }),
      output: 'static',
      trailingSlash: 'always',
      build: { format: 'directory', inlineStylesheets: 'never' },
      image: { service: { entrypoint: 'astro/assets/services/noop' } },
      devToolbar: { enabled: false },
      integrations: [keepFilesIn(workFolder)],
      logLevel: 'error',
      vite: {
        logLevel: 'error',
        cacheDir: join(workFolder, 'vite'),
        // The map's scripts are already in the folder, which was empty before.
        build: { assetsInlineLimit: 0, emptyOutDir: false },
        environments: {
          client: { resolve: { ...fromSources('browser') } },
          // Everything is bundled: the pages run from the work folder, where no package would be found.
          prerender: { resolve: { ...fromSources('node'), noExternal: true } },
        },
      },
    })
  } finally {
    provideContext(undefined)
  }
}
