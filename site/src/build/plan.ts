import { nameIn, type ExportFolder } from '../data/folder.ts'
import { countCellFiles } from '../map/build/cells.ts'
import type { Row } from '../data/row.ts'
import type { ContentFile } from './contents.ts'
import { partsWithStates } from './joined-states.ts'
import { tilesPart } from './map-config.ts'

/** Limits of the usual hosts of static sites: files and bytes of one site. */
export const usualLimits = { files: 20_000, bytes: 1_000_000_000 } as const

/** File size limits of the usual hosts; docs/guides/publishing-the-site.md has the sources. */
const fileLimits = [
  { host: 'Cloudflare Pages', bytes: 25 * 2 ** 20, size: '25 MiB' },
  { host: 'a repository of GitHub', bytes: 100 * 2 ** 20, size: '100 MiB' },
] as const

/** A number of files, with their total bytes. */
export interface Amount {
  readonly files: number
  readonly bytes: number
}

/** The planned size of a site, before its pages are made. Files are counted, bytes of pages estimated. */
export interface SitePlan extends Amount {
  /** Waypoints with a page, of the total. */
  readonly waypointPages: number
  readonly waypoints: number
  /** Whether pages of regions exist in `every` language, or in `one` whose labels a script translates. */
  readonly regionLanguages: 'every' | 'one'
  readonly parts: Readonly<Record<SitePart, Amount>>
  /** The limits of the usual hosts that are exceeded. */
  readonly beyond: readonly (keyof Amount)[]
}

/** `downloads`: the export's files. `map`: data of the map, its search and base map, with all scripts. The others are pages. */
export type SitePart = 'downloads' | 'map' | 'fountains' | 'regions' | 'people' | 'others'

export interface PlanFacts {
  /** The number of waypoints that get a page; undefined for as many as fit the usual limits. */
  readonly wanted: number | undefined
  readonly waypoints: number
  readonly regions: readonly number[]
  readonly people: number
  readonly languages: number
  readonly downloads: Amount
  /** The files written so far, and the cells of the map. */
  readonly map: Amount
  /** Pictures of maps for links to pages. */
  readonly pictures: number
}

/** Mean bytes of pages, measured on the sample. */
const mean = {
  waypoint: 13_500,
  region: 8500,
  row: 900,
  person: 12_000,
  other: 22_000,
  picture: 2500,
} as const
/** Of one waypoint in the cells of the map. */
const cellBytes = 120
/** Pages of every site in each language with feeds, and its single files. */
const othersInLanguage = 18
const singleFiles = 20
/** Scripts and styles of all pages, with an API. */
const assets: Amount = { files: 45, bytes: 1_400_000 }
const rowsOnPage = 200
const peopleOnPage = 300
/** Largest share of region pages among all files in every language; above it they exist in one language. */
const regionShare = 0.25
/** Largest share of people's pages among all files when the number of pages is not given. */
const peopleShare = 0.1
/** Share reserved for pages of merged fountains and for errors of the estimate. */
const reserve = 0.03

export function planSite(facts: PlanFacts): SitePlan & { readonly people: number; readonly merged: number } {
  const { waypoints, regions, languages, wanted } = facts
  const isMany = regions.length * languages > usualLimits.files * regionShare
  const regionLanguages = isMany ? 'one' : 'every'
  const copies = isMany ? 1 : languages
  const people = Math.min(facts.people, wanted ?? Math.floor(usualLimits.files * peopleShare))
  const map = sum([facts.map, assets, { files: facts.pictures, bytes: facts.pictures * mean.picture }])
  const others = {
    files: languages * (othersInLanguage + Math.ceil(facts.people / peopleOnPage)) + singleFiles,
    bytes: languages * othersInLanguage * mean.other,
  }
  const fixed = sum([
    facts.downloads,
    map,
    others,
    { files: people, bytes: people * mean.person },
    { files: regions.length * copies, bytes: regions.length * copies * mean.region },
  ])
  const room = {
    files: Math.floor((usualLimits.files * (1 - reserve) - fixed.files) / (1 + copies / rowsOnPage)),
    bytes: Math.floor(
      (usualLimits.bytes * (1 - reserve) - fixed.bytes) / (mean.waypoint + mean.row * copies),
    ),
  }
  const waypointPages = Math.min(waypoints, wanted ?? Math.max(0, Math.min(room.files, room.bytes)))
  const rows = waypointPages * copies
  const parts = {
    downloads: facts.downloads,
    map,
    fountains: { files: waypointPages, bytes: waypointPages * mean.waypoint },
    regions: {
      files: copies * Math.round(pagesOfRegions(regions, waypoints === 0 ? 0 : waypointPages / waypoints)),
      bytes: regions.length * copies * mean.region + rows * mean.row,
    },
    people: { files: people, bytes: people * mean.person },
    others,
  }
  const all = sum(Object.values(parts))
  return {
    ...all,
    waypointPages,
    waypoints,
    regionLanguages,
    parts,
    beyond: beyondLimits(all),
    people,
    merged: wanted ?? Math.floor(usualLimits.files * reserve),
  }
}

/** The usual limits of hosts that a site exceeds. */
export function beyondLimits(amount: Amount): (keyof Amount)[] {
  return (['files', 'bytes'] as const).filter((what) => amount[what] > usualLimits[what])
}

function pagesOfRegions(regions: readonly number[], share: number): number {
  return regions.reduce((pages, waypoints) => pages + Math.max(1, (waypoints * share) / rowsOnPage), 0)
}

function sum(amounts: readonly Amount[]): Amount {
  return {
    files: amounts.reduce((total, { files }) => total + files, 0),
    bytes: amounts.reduce((total, { bytes }) => total + bytes, 0),
  }
}

/** One line: the size of the site, the limits of the usual hosts, and the remedy. */
export function beyondText({ files, bytes }: Amount): string {
  const size = `${number(files)} files with ${number(Math.ceil(bytes / 1e6))} MB`
  const limits = `${number(usualLimits.files)} files and ${number(usualLimits.bytes / 1e6)} MB`
  return `The site has ${size}; the usual hosts of static sites take ${limits} (GitHub Pages 1 GB, Cloudflare Pages 20,000 files). Give fewer fountains a page, export fewer formats, or use a web server of your own`
}

/** One line: the files of an export that usual hosts refuse, and the remedy; undefined when there are none. */
export function largeFilesText(
  files: readonly { readonly name: string; readonly bytes: number }[],
): string | undefined {
  const refused = fileLimits.flatMap(({ host, bytes: limit, size }) => {
    const names = files.filter(({ bytes }) => bytes > limit).map(({ name }) => name)
    return names.length === 0 ? [] : [`${host} takes no file of more than ${size} (${names.join(', ')})`]
  })
  if (refused.length === 0) return undefined
  return `Some downloads are too large for some hosts: ${refused.join('; ')}. There, leave formats out (--formats), split the export by licence or country, or use another host`
}

const number = (value: number): string => value.toLocaleString('en')

/** The files of an export as downloads; the files that the map reads count twice, under both names. */
export function amountOf({ files, compressed, registryFolder, signed, ...folder }: ExportFolder): Amount {
  const twice = [nameIn(registryFolder, 'areas.geojson')]
  const tiles = tilesPart(folder)
  if (tiles) twice.push(nameIn(tiles.folder, 'waypoints.pmtiles'))
  twice.push(...partsWithStates({ files, parts: folder.parts }))
  const doubled = files.filter(({ name }) => name.includes('/') && twice.includes(name))
  return amountOfFiles([...files, ...compressed, ...doubled, ...(signed?.files ?? [])])
}

/** The amount written so far plus the cells to come. */
export function withCells(written: Amount, rows: readonly Row[]): Amount {
  return { files: written.files + countCellFiles(rows), bytes: written.bytes + rows.length * cellBytes }
}

export function amountOfFiles(files: readonly Pick<ContentFile, 'bytes'>[]): Amount {
  return { files: files.length, bytes: files.reduce((total, { bytes }) => total + bytes, 0) }
}
