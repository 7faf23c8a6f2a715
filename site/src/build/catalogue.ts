import { nameIn, type ExportFile, type ExportFolder } from '../data/folder.ts'
import type { Messages } from '../messages.ts'
import type { View } from './view.ts'

/** What a file of the export is; the language files have the labels. */
export type FileKind = keyof Messages['data']['files']

export interface CatalogueFile extends ExportFile {
  readonly kind: FileKind
  /** Its name without a folder. */
  readonly title: string
}

/** The files of one licence, grouped. */
export interface CataloguePart {
  /** Absent for files about all parts, and in an export that is not split. */
  readonly license?: string
  readonly groups: readonly (readonly CatalogueFile[])[]
}

/** In the order in which the data page shows them: first what most people want. */
const kinds: readonly (readonly [pattern: RegExp, kind: FileKind, group: number])[] = [
  [/^waypoints\.geojson$/u, 'geojson', 0],
  [/^waypoints\.csv$/u, 'csv', 0],
  [/^waypoints\.gpx$/u, 'gpx', 0],
  [/^waypoints\.kml$/u, 'kml', 0],
  [/^waypoints\.gpkg$/u, 'gpkg', 0],
  [/^waypoints\.parquet$/u, 'parquet', 0],
  [/^waypoints\.ndjson\.gz$/u, 'ndjson', 0],
  [/^waypoints\.pmtiles$/u, 'pmtiles', 0],
  [/\.sqlite$/u, 'sqlite', 0],
  [/^changes\./u, 'changes', 1],
  [/^reviews\./u, 'reviews', 1],
  [/^contributors\./u, 'contributors', 1],
  [/^leaderboard\./u, 'leaderboard', 1],
  [/^stats\./u, 'stats', 1],
  [/^areas\./u, 'areas', 1],
  [/^sources\./u, 'sources', 1],
  [/^datapackage\.json$/u, 'datapackage', 2],
  [/^dataset\.jsonld$/u, 'dataset', 2],
  [/^LICENSE/u, 'license', 2],
  [/^ATTRIBUTION/u, 'attribution', 2],
  [/^SHA256SUMS$/u, 'checksums', 2],
]

/** The files of an export, by licence where it is split: first what has the most fountains, last what is about all. */
export function catalogue({ parts, files }: Pick<ExportFolder, 'parts' | 'files'>): CataloguePart[] {
  const split = parts
    .filter(({ folder }) => folder !== '')
    .toSorted((one, other) => other.waypoints - one.waypoints)
    .map(({ folder, license }) => ({
      license,
      groups: grouped(files.filter(({ name }) => name.startsWith(nameIn(folder, '')))),
    }))
  return [...split, { groups: grouped(files.filter(({ name }) => !name.includes('/'))) }]
}

/** Fountains, what happened around them, and what describes them. */
function grouped(files: readonly ExportFile[]): CatalogueFile[][] {
  const groups: { file: CatalogueFile; rank: number }[][] = [[], [], []]
  for (const file of files) {
    const title = file.name.slice(file.name.lastIndexOf('/') + 1)
    const rank = kinds.findIndex(([pattern]) => pattern.test(title))
    const [, kind, group] = kinds[rank] ?? [undefined, 'other' as const, 2]
    groups[group]?.push({ file: { ...file, kind, title }, rank: rank === -1 ? kinds.length : rank })
  }
  return groups
    .filter((group) => group.length > 0)
    .map((group) => group.toSorted((a, b) => a.rank - b.rank).map(({ file }) => file))
}

const mediaTypes: readonly (readonly [ending: string, mediaType: string])[] = [
  ['.geojson', 'application/geo+json'],
  ['.csv', 'text/csv'],
  ['.json', 'application/json'],
  ['.ndjson.gz', 'application/gzip'],
  ['.gpx', 'application/gpx+xml'],
  ['.kml', 'application/vnd.google-earth.kml+xml'],
  ['.parquet', 'application/vnd.apache.parquet'],
  ['.gpkg', 'application/geopackage+sqlite3'],
  ['.sqlite', 'application/vnd.sqlite3'],
  ['.pmtiles', 'application/vnd.pmtiles'],
]

/** The registry as a schema.org Dataset with a download for each file of data. */
export function datasetJsonLd(view: View, description: string): unknown {
  const { folder, survey, credit, sources } = view.site.data
  const { registry, licenses, dataTime, files } = folder
  return {
    '@context': 'https://schema.org',
    '@type': 'Dataset',
    name: registry.name,
    description,
    license: licenses.length === 1 ? licenseAddress(licenses[0] ?? '') : licenses.map(licenseAddress),
    creditText: credit,
    creator: { '@type': 'Organization', name: registry.author },
    dateModified: dataTime,
    isAccessibleForFree: true,
    url: view.absolute(view.page('data/')),
    ...(survey.bounds && {
      spatialCoverage: {
        '@type': 'Place',
        geo: {
          '@type': 'GeoShape',
          box: [survey.bounds[1], survey.bounds[0], survey.bounds[3], survey.bounds[2]].join(' '),
        },
      },
    }),
    ...(sources.length > 0 && {
      isBasedOn: sources.map((source) => ({
        '@type': 'Dataset',
        name: source.name,
        license: licenseAddress(source.license),
        creditText: source.credit,
      })),
    }),
    distribution: files.flatMap(({ name, bytes, sha256, license }) => {
      const mediaType = mediaTypes.find(([ending]) => name.endsWith(ending))?.[1]
      if (mediaType === undefined) return []
      return [
        {
          '@type': 'DataDownload',
          name,
          contentUrl: view.absolute(downloadAddress(view, name)),
          encodingFormat: mediaType,
          contentSize: `${bytes} B`,
          ...(sha256 !== undefined && { sha256 }),
          ...(license !== undefined && { license: licenseAddress(license) }),
        },
      ]
    }),
  }
}

/** Where a file of the export is on the site. */
export function downloadAddress(view: View, name: string): string {
  return view.file(`data/${name.split('/').map(encodeURIComponent).join('/')}`)
}

/** Where a licence with an SPDX id is published; another name stays a name. */
export function licenseAddress(license: string): string {
  return /^[A-Za-z0-9.+-]+$/u.test(license) ? `https://spdx.org/licenses/${license}.html` : license
}
