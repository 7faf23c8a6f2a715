import { join } from 'node:path'
import { defaultRules } from '@openfountain/core'
import { leaders } from '../data/contributors.ts'
import { openExportFolder } from '../data/folder.ts'
import { readExtraPlaces, subdivisionNames } from '../data/extra-places.ts'
import { mapCreditsOf } from '../data/map-credits.ts'
import { addPhotos } from '../data/photos.ts'
import { loadRegistry, readTotals, surveyWaypoints } from '../data/registry.ts'
import type { InvalidRecord } from '../data/stream.ts'
import { baseMapAddress } from '../map/build/base-map.ts'
import { writeCells } from '../map/build/cells.ts'
import { writeCredits } from '../map/build/credits.ts'
import { writeMapFiles } from '../map/build/files.ts'
import { creditConfig, dataVersion } from './map-config.ts'
import { writeHistories } from '../proof/histories.ts'
import { writeServiceWorker } from '../offline/build.ts'
import {
  earlyScript,
  headerScript,
  languageScript,
  relabelScript,
  themeScript,
} from '../client/inline-scripts.ts'
import { contentsOf } from './contents.ts'
import type { SiteContext, SiteLanguage } from './context.ts'
import { baseShapes } from '../drawing/base-tiles.ts'
import { writeIcons } from './icons.ts'
import { BuildCache } from './build-cache.ts'
import { loadLanguages } from './languages.ts'
import { localLanguage } from './local-language.ts'
import { checkOptions, type CheckedOptions } from './options.ts'
import { openOutput } from './output.ts'
import {
  amountOf,
  amountOfFiles,
  beyondLimits,
  largeFilesText,
  planSite,
  usualLimits,
  withCells,
} from './plan.ts'
import { countPictures, writePictures } from './pictures.ts'
import { contentSecurityPolicy } from './policy.ts'
import type { SiteProgress, SiteReport } from './report.ts'
import { openSiteData } from './site-data.ts'
import type { SiteOptions } from './site-options.ts'
import {
  beyondWarning,
  elsewhereWarning,
  emitWarning,
  leftoverWarning,
  skippedWarning,
  streetsWarning,
  type SiteWarning,
} from './warnings.ts'
import { token } from './tokens.ts'
import { digestShared, digestsIn, isWhole, markerText, readMarker, stateOf, wholeOf } from './marker.ts'
import { openFreeMapStyle } from '../streets/choice.ts'
import { boundsMeet } from '../map/page/position.ts'
import { openStreets, writeStreets } from '../streets/files.ts'
import { addExtra, extraFiles } from './extra.ts'
import { StreetNames } from '../streets/names.ts'
import type { StyleConfig } from '../map/data/config.ts'

let queue: Promise<unknown> = Promise.resolve()

/**
 * Builds the static site of an export folder. Builds in one process run one after another. The folder `out`
 * changes only when the build succeeds.
 *
 * @throws {ExportFolderError} when the export is missing, incomplete, damaged or from a newer version.
 * @throws {SiteOptionError} when an option is invalid.
 */
export function buildSite(options: SiteOptions): Promise<SiteReport> {
  const result = queue.then(() => buildNow(options))
  queue = result.catch(() => undefined)
  return result
}

async function buildNow(options: SiteOptions): Promise<SiteReport> {
  const { signal } = options
  const warnings: SiteWarning[] = []
  const say = options.onWarning ?? emitWarning
  const onWarning = (warning: SiteWarning) => {
    warnings.push(warning)
    say(warning)
  }
  signal?.throwIfAborted()
  const checked = await checkOptions(options)
  const { data: given } = checked
  // A folder that is no export is refused before anything is written.
  if (typeof given === 'string') await openExportFolder(given)
  if (checked.extra !== undefined) extraFiles(checked.extra)
  const streets = await openStreets(checked.basemap)
  const places = checked.places === undefined ? [] : await readExtraPlaces(checked.places)
  const output = await openOutput(checked.out, {
    linked: checked.linked,
    onLeftover: (folder) => say(leftoverWarning(folder)),
  })
  const onProgress = (progress: SiteProgress) => {
    signal?.throwIfAborted()
    options.onProgress?.(progress)
  }
  try {
    const { earlier } = output
    const marker = await readMarker(earlier)
    const state = await stateOf(checked, { rules: options.rules, streets })
    if (marker?.whole && output.mayStay && isWhole(marker.whole, state, earlier)) {
      const { built, warnings: said } = marker.whole
      said.forEach(onWarning)
      await output.stay()
      return {
        ...built,
        out: checked.out,
        unchangedPages: built.pages,
        unchangedData: true,
        unchangedSite: true,
      }
    }
    const { folder, isUnchanged } = await openSiteData(checked, output, marker)
    signal?.throwIfAborted()
    const onInvalid = (record: InvalidRecord) => onWarning(skippedWarning(record))
    const onStep = (step: SiteProgress['step'], done: number) => onProgress({ step, done })
    const cache = new BuildCache({ folder: output.folder, earlier, before: await digestsIn(marker) })
    const read = await StreetNames.with(streets, async (names) => {
      const found = await surveyWaypoints(folder, {
        limit: checked.pages ?? usualLimits.files,
        ...(names && { streetAt: (waypoint) => names.at(waypoint) }),
        onInvalid,
        onProgress: onStep,
      })
      if (names && names.beyond > 0) onWarning(streetsWarning(names.beyond))
      return found
    })
    const { rows } = read
    const { bounds } = read.survey
    if (streets && bounds && !boundsMeet(streets.archive.bounds, bounds)) onWarning(elsewhereWarning)
    const style = styleOf(checked)
    const [first, ...others] = await loadLanguages(checked.languages)
    if (!first) throw new Error('no language')
    const rules = options.rules ?? defaultRules
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
      cache,
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
      people: totals.total_users,
      languages: checked.languages.length,
      downloads: amountOf(folder),
      pictures:
        checked.origin === undefined ? 0 : countPictures(read.survey.regions.length, read.newest.length),
      map: withCells(amountOfFiles(contentsOf(output.folder)), rows),
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
    const tags = [first.tag, ...others.map(({ tag }) => tag)] as const
    const built: Omit<SiteContext, 'toMake'> = {
      base: checked.base,
      origin: checked.origin,
      api: checked.api,
      registration: checked.registration,
      ...(checked.imageHosts && { imageHosts: checked.imageHosts }),
      data,
      title: checked.title ?? folder.registry.name,
      languages: [first, ...others],
      rules,
      contributorPages: new Set(leaders(data.contributors.values(), people).map(({ id }) => id)),
      fountainLanguages: new Map(data.waypoints.map((one) => [String(one.id), localLanguage(one, tags)])),
      ...(checked.origin !== undefined && { pictures: await writePictures(data, cache, output.folder) }),
      icons,
      paper: token('paper'),
      accent: token('accent'),
      land: style === undefined ? `${checked.base}${baseMapAddress}` : undefined,
      regionLanguages: plan.regionLanguages,
      subdivisions: subdivisionNames(places),
      shapes: baseShapes,
      credits: mapCreditsOf(data, checked.api !== undefined),
      style,
      streets: streetFiles,
      policy: contentSecurityPolicy({
        imageHosts: checked.imageHosts,
        scripts: [
          themeScript,
          languageScript,
          relabelScript,
          earlyScript,
          ...(checked.api === undefined ? [] : [headerScript]),
        ],
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
    if (creditConfig(built).credits) await writeCredits(rows, built.credits, join(output.folder, 'map'))
    const files = await writeCells(rows, {
      outDir: output.folder,
      cache,
      dataTime: folder.dataTime,
      hasPage: data.hasPage,
      stagesOf: data.stagesOf,
    })
    const shared = { ...built, ...files }
    const choice = cache.pageChoice(digestShared(shared))
    let unchangedPages = 0
    const context: SiteContext = {
      ...shared,
      async toMake(paths, kind) {
        const wanted = await choice(paths, kind)
        unchangedPages += paths.length - wanted.length
        return wanted
      },
    }
    // Rolldown's allocator: huge pages take 160 MB more, and seconds where memory is fragmented.
    process.env['MIMALLOC_ALLOW_THP'] ??= '0'
    // Astro takes a second to load, and a site left in place does not need it.
    const { renderPages } = await import('./render.ts')
    await renderPages(context, output)
    pages += unchangedPages
    onProgress({ step: 'pages', done: pages, total: pages })
    await addPhotos(folder, read.photos, output.folder)
    await output.addExport(folder)
    await writeHistories(folder, data, output.folder)
    onProgress({ step: 'files', done: folder.files.length, total: folder.files.length })
    await writeServiceWorker({
      outDir: output.folder,
      base: checked.base,
      version: dataVersion(folder),
      api: checked.api,
    })
    if (checked.extra !== undefined) await addExtra(checked.extra, output.folder)
    const contents = contentsOf(output.folder)
    const amount = amountOfFiles(contents)
    if (beyondLimits(amount).length > 0) onWarning(beyondWarning(amount))
    const large = largeFilesText([...folder.files, ...folder.compressed])
    if (large !== undefined) onWarning({ code: 'LARGE_FILES', message: large })
    signal?.throwIfAborted()
    const { dataState } = checked
    const about = {
      ...amount,
      plan,
      pages,
      waypoints: data.survey.waypoints,
      waypointPages: data.waypoints.length,
      languages: context.languages.map(({ tag }: SiteLanguage) => tag),
      baseMap: streets ? 'streets' : checked.basemap ? 'openfreemap' : style ? 'style' : 'land',
      contentSecurityPolicy: context.policy.header,
    } as const
    const whole = wholeOf(state, contents, about, warnings)
    await output.finish(await markerText(cache.digests, { data: dataState, whole }))
    return { ...about, out: checked.out, unchangedPages, unchangedData: isUnchanged, unchangedSite: false }
  } finally {
    await output.discard()
  }
}

function styleOf({ style, basemap }: CheckedOptions): StyleConfig | undefined {
  if (basemap?.kind === 'openfreemap') return { ...openFreeMapStyle, isCredited: true }
  return style === undefined ? undefined : { light: style, isCredited: false }
}
