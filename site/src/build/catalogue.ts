import { partyText } from '@openfountain/core/internal'
import { nameIn, type ExportFile, type ExportFolder } from '../data/folder.ts'
import english from '../languages/en.json' with { type: 'json' }
import { licenseAddress } from '../license-address.ts'
import type { Messages } from '../messages.ts'
import type { View } from './view.ts'

export interface CatalogueFile extends ExportFile {
  /** Its name without a folder. */
  readonly title: string
  /** Its description in the page's language, else that of the export. */
  readonly about: string
}

export interface CataloguePart {
  /** Absent for files about all parts, and in an unsplit export. */
  readonly license?: string
  readonly groups: readonly (readonly CatalogueFile[])[]
}

/** The files that have a description, in the order of the data page, the most wanted first. */
const order = Object.keys(english.data.files)

/** The key of a file's description: the format for waypoints and the registry, else the file name. */
function keyOf(title: string): string {
  const [name = '', format = ''] = title.toLowerCase().split('.')
  return name === 'waypoints' || name === 'registry' ? format : name
}

/** The files of an export, by licence where it is split: the part with the most fountains first, registry files last. */
export function catalogue(
  { parts, files }: Pick<ExportFolder, 'parts' | 'files'>,
  { data }: Pick<Messages, 'data'>,
): CataloguePart[] {
  const words = new Map<string, string>(Object.entries(data.files))
  const grouped = (some: readonly ExportFile[]) => groupsOf(some, words)
  const split = parts
    .filter(({ folder }) => folder !== '')
    .toSorted((one, other) => other.waypoints - one.waypoints)
    .map(({ folder, license }) => ({
      license,
      groups: grouped(files.filter(({ name }) => name.startsWith(nameIn(folder, '')))),
    }))
  return [...split, { groups: grouped(files.filter(({ name }) => !name.includes('/'))) }]
}

/** Three groups: fountains, their history, and descriptions of the data. */
function groupsOf(files: readonly ExportFile[], words: ReadonlyMap<string, string>): CatalogueFile[][] {
  const groups: { file: CatalogueFile; rank: number }[][] = [[], [], []]
  for (const file of files) {
    const title = file.name.slice(file.name.lastIndexOf('/') + 1)
    const key = keyOf(title)
    const about = words.get(key) ?? file.resource?.title ?? words.get('other') ?? ''
    const rank = order.indexOf(key)
    const group = /^(?:waypoints|registry)\b/u.test(title) ? 0 : file.resource ? 1 : 2
    groups[group]?.push({ file: { ...file, title, about }, rank: rank === -1 ? order.length : rank })
  }
  return groups
    .filter((group) => group.length > 0)
    .map((group) => group.toSorted((a, b) => a.rank - b.rank).map(({ file }) => file))
}

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
        creditText: partyText(source.credit),
      })),
    }),
    distribution: files.flatMap(({ name, bytes, sha256, license, earlier, resource }) => {
      if (resource === undefined) return []
      return [
        {
          '@type': 'DataDownload',
          name,
          contentUrl: view.absolute(downloadAddress(view, name)),
          encodingFormat: resource.mediaType,
          contentSize: `${bytes} B`,
          sha256,
          dateModified: earlier?.dataTime,
          ...(license !== undefined && { license: licenseAddress(license) }),
        },
      ]
    }),
  }
}

export function downloadAddress(view: View, name: string): string {
  return view.file(`data/${name.split('/').map(encodeURIComponent).join('/')}`)
}
