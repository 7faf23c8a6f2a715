import { readdir, readFile, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { tilePath, tilesOf, verifiedCheckpoint, verifierKey } from '@openfountain/tlog'
import { z } from 'zod'
import { ExportFolderError, explain } from './problem.ts'
import { parsedJson } from './stream.ts'

export interface ExportFile {
  /** With its part's folder as prefix, such as `CC0-1.0/waypoints.csv`. */
  readonly name: string
  readonly bytes: number
  /** SHA-256 in hexadecimal, when the export has it. */
  readonly sha256?: string
  readonly rows?: number
  /** SPDX id or name, where the export has several. */
  readonly license?: string
  /** The state of its data, where it is older than that of the other files: time and number of log entries. */
  readonly earlier?: { readonly dataTime: string; readonly entries: number }
  /** Its entry in the data package; absent for the files that describe the others. */
  readonly resource?: { readonly title?: string | undefined; readonly mediaType?: string | undefined }
}

/** The part of one licence of an export that is split by licence; an unsplit export is one part without a folder. */
export interface ExportPart {
  /** Its name in the export's folder; empty where its files are in the export's folder itself. */
  readonly folder: string
  /** SPDX id or name of the licence of its files. */
  readonly license: string
  readonly waypoints: number
}

export interface ExportFolder {
  readonly directory: string
  readonly registry: Registry
  /** SPDX ids or names of the licences of its files: the registry's, a chosen one, or several. */
  readonly licenses: readonly string[]
  readonly parts: readonly ExportPart[]
  /** The folder of the files about the whole registry: that of a part, or empty. */
  readonly registryFolder: string
  readonly revision: number
  /** Time of the data, ISO 8601 UTC. */
  readonly dataTime: string
  /** The reference time of states, ISO 8601 UTC. */
  readonly asOf: string
  /** The number of log entries, with the root hash; absent where the export has none. */
  readonly log?: { readonly id: number; readonly hash: string }
  readonly signed?: SignedLog
  /** True when the registry declares its content as made up. */
  readonly fictional: boolean
  readonly files: readonly ExportFile[]
  /** The names of files of photos, in its folder `photos`. */
  readonly photos: ReadonlySet<string>
  /** Compressed copies of files, which lie beside them for web servers and are no downloads of their own. */
  readonly compressed: readonly { readonly name: string; readonly bytes: number }[]
}

/** The log of an export after C2SP tlog-tiles. */
export interface SignedLog {
  readonly origin: string
  readonly keys: readonly string[]
  /** Who cosigned it, and when, in seconds since 1970. */
  readonly cosigners: readonly { readonly name: string; readonly time: number }[]
  /** Below the folder of the export. */
  readonly files: readonly { readonly name: string; readonly bytes: number }[]
}

/** The newest layout of export folders that this site reads. */
const newestFormat = 2

/** Required for the pages. All other files are offered for download when they exist. */
const needed = {
  ofEachPart: ['waypoints.ndjson.gz', 'waypoints.pmtiles', 'sources.json'],
  once: ['changes.ndjson.gz', 'reviews.json', 'contributors.json', 'stats.json'],
} as const

/** The export's files that a site is built from, by name; all others are only downloads. */
export const siteFiles: readonly string[] = [
  ...needed.ofEachPart,
  ...needed.once,
  'areas.geojson',
  'photos.ndjson',
]

export const nameIn = (folder: string, file: string): string => (folder === '' ? file : `${folder}/${file}`)

const license = z.object({
  name: z.string().optional(),
  title: z.string().optional(),
  path: z.string().optional(),
})

const resource = z.object({
  path: z.string(),
  title: z.string().optional(),
  mediatype: z.string().optional(),
  bytes: z.number().int().nonnegative().optional(),
  hash: z.string().optional(),
  rows: z.number().int().nonnegative().optional(),
  openfountain: z.object({ data_time: z.iso.datetime(), log: z.object({ id: z.number().int() }) }).optional(),
})

/** A part's folder is a single name, so that it cannot point outside the export. */
const part = z.object({
  folder: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9.+_-]*$/u),
  license: z.string(),
  registry: z.boolean(),
})

/** The parts of a custom field's declaration that pages and forms need. */
const property = z.object({
  type: z.string(),
  title: z.string().optional(),
  description: z.string().optional(),
  enum: z.array(z.string()).optional(),
  format: z.string().optional(),
  maxLength: z.number().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  exclusiveMinimum: z.number().optional(),
  exclusiveMaximum: z.number().optional(),
  items: z.object({ enum: z.array(z.string()).optional() }).optional(),
})

/** A declared custom field, in JSON Schema. */
export type DeclaredProperty = z.infer<typeof property>

const declared = z.object({ properties: z.record(z.string(), property) })
export type DeclaredProperties = z.infer<typeof declared>

const registry = z
  .object({
    name: z.string(),
    author: z.string(),
    license: z.string(),
    consents_to: z.string().optional(),
    properties: declared.optional(),
  })
  .transform(({ consents_to: consentsTo, ...described }) => ({ ...described, consentsTo }))
type Registry = Readonly<z.infer<typeof registry>>

const dataPackage = z.object({
  licenses: z.array(license).optional(),
  resources: z.array(resource),
  openfountain: z.object({
    format: z.number().int().optional(),
    registry,
    revision: z.number().int().nonnegative(),
    data_time: z.iso.datetime(),
    as_of: z.iso.datetime(),
    log: z.object({ id: z.number().int(), hash: z.string() }).nullish(),
    since: z.unknown().optional(),
    fictional: z.boolean().optional(),
    parts: z.array(part).min(1).optional(),
  }),
})

const versionOnly = z.object({ openfountain: z.object({ format: z.number().int() }) })

/**
 * Opens the folder of an export: reads its description and checks that every file exists and has the size in the
 * description. Reads no data.
 *
 * @throws {ExportFolderError} when the folder is missing, not an export, incomplete or from a newer version.
 */
export async function openExportFolder(directory: string): Promise<ExportFolder> {
  const at = resolve(directory)
  const outside = await fileNames(at, at)
  if (!outside.includes('datapackage.json')) {
    throw new ExportFolderError({ code: outside.length === 0 ? 'EMPTY' : 'NOT_AN_EXPORT', folder: at })
  }
  const described = await readDescription(at)
  const { registry, revision, log, since, fictional, parts: split } = described.openfountain
  const { data_time: dataTime, as_of: asOf } = described.openfountain
  if (since !== undefined) throw new ExportFolderError({ code: 'DIFFERENCE', folder: at })
  const names = [...outside]
  for (const { folder } of split ?? []) {
    const within = await fileNames(join(at, folder), at)
    names.push(...within.map((file) => nameIn(folder, file)))
  }
  const about = new Map(described.resources.map((one) => [one.path, one]))
  const { forms = [], plain = [] } = Object.groupBy(names, (name) =>
    isForm(name, names) ? 'forms' : 'plain',
  )
  const registryFolder = split?.find((one) => one.registry)?.folder ?? ''
  const folders = split?.map(({ folder }) => folder) ?? ['']
  const wanted = new Set<string>([
    ...folders.flatMap((folder) => needed.ofEachPart.map((file) => nameIn(folder, file))),
    ...needed.once.map((file) => nameIn(registryFolder, file)),
    ...described.resources.map(({ path }) => path),
  ])
  const missing = [...wanted].filter((name) => !names.includes(name))
  if (missing.length > 0) throw new ExportFolderError({ code: 'INCOMPLETE', folder: at, missing })
  const licenses = split?.map((one) => one.license) ?? [
    licenseName(described.licenses?.[0]) ?? registry.license,
  ]
  return {
    directory: at,
    registry,
    licenses,
    parts: folders.map((folder, index) => ({
      folder,
      license: licenses[index] ?? registry.license,
      waypoints: about.get(nameIn(folder, 'waypoints.ndjson.gz'))?.rows ?? 0,
    })),
    registryFolder,
    revision,
    dataTime,
    asOf,
    ...(log && { log, ...(await signedLog(at, log.id)) }),
    fictional: fictional ?? false,
    files: await listFiles(at, plain, described),
    photos: new Set((await namesIn(join(at, photosFolder))).filter((name) => name.endsWith('.webp'))),
    compressed: await Promise.all(
      forms.map(async (name) => ({ name, bytes: (await stat(join(at, name))).size })),
    ),
  }
}

/** The signed log of an export; without one, or with an older one that was left there, it is not shown. */
async function signedLog(at: string, entries: number): Promise<{ signed?: SignedLog }> {
  const [note, keys, witnesses] = await Promise.all(
    ['checkpoint', 'keys', 'witnesses'].map((name) =>
      readFile(join(at, 'log', name), 'utf8').catch(() => ''),
    ),
  )
  if (!note || !keys) return {}
  const known = await Promise.all(`${keys}${witnesses}`.trim().split('\n').map(verifierKey))
  const { origin, size, cosigners } = await verifiedCheckpoint(note, known).catch((error: unknown) => {
    const file = join(at, 'log/checkpoint')
    throw new ExportFolderError({ code: 'UNREADABLE_FILE', file, reason: explain(error) })
  })
  if (size !== entries) return {}
  const names = ['checkpoint', 'keys', 'witnesses', ...[...tilesOf(size)].map(tilePath)].map(
    (name) => `log/${name}`,
  )
  const files = await Promise.all(
    names.map(async (name) => ({ name, bytes: (await stat(join(at, name)).catch(() => undefined))?.size })),
  )
  const found = files.flatMap(({ name, bytes }) => (bytes === undefined ? [] : [{ name, bytes }]))
  const missing = files.flatMap(({ name, bytes }) => (bytes === undefined ? [name] : []))
  if (missing.length > 0) throw new ExportFolderError({ code: 'INCOMPLETE', folder: at, missing })
  return {
    signed: {
      origin,
      keys: keys.trim().split('\n'),
      cosigners: cosigners.map(({ key, time = 0 }) => ({ name: key.name, time })),
      files: found,
    },
  }
}

/** Whether a file is the compressed copy of another, such as waypoints.csv.br. */
function isForm(name: string, names: readonly string[]): boolean {
  const [, plain] = /^(.+)\.(?:br|zst|gz)$/u.exec(name) ?? []
  return plain !== undefined && names.includes(plain)
}

type DataPackage = z.infer<typeof dataPackage>

/** The SPDX id of a licence, else its name as written. */
function licenseName(entry: z.infer<typeof license> | undefined): string | undefined {
  return entry?.path === undefined ? (entry?.title ?? entry?.name) : (entry.name ?? entry.title)
}

export const photosFolder = 'photos'

const namesIn = (path: string): Promise<string[]> => readdir(path).catch(() => [])

async function fileNames(path: string, folder: string): Promise<string[]> {
  try {
    const entries = await readdir(path, { withFileTypes: true })
    return entries.filter((entry) => !entry.isDirectory()).map(({ name }) => name)
  } catch (error) {
    throw new ExportFolderError({ code: 'UNREADABLE_FOLDER', folder, path, reason: explain(error) })
  }
}

async function readDescription(at: string): Promise<DataPackage> {
  const file = join(at, 'datapackage.json')
  const json = parsedJson(await readFile(file, 'utf8'), { file })
  const version = versionOnly.safeParse(json)
  if (version.success && version.data.openfountain.format > newestFormat) {
    const { format } = version.data.openfountain
    throw new ExportFolderError({ code: 'NEWER_FORMAT', folder: at, format, newest: newestFormat })
  }
  const described = dataPackage.safeParse(json)
  if (!described.success) {
    throw new ExportFolderError({ code: 'INVALID_DESCRIPTION', file, reason: explain(described.error) })
  }
  return described.data
}

async function listFiles(
  at: string,
  names: readonly string[],
  { resources, openfountain: { parts = [] } }: DataPackage,
): Promise<ExportFile[]> {
  const sums = await readChecksums(at, names)
  const described = new Map(resources.map((one) => [one.path, one]))
  const licenseOf = new Map(parts.map((one) => [one.folder, one.license]))
  const files: ExportFile[] = []
  for (const name of names.toSorted()) {
    const [folder = '', base] = name.includes('/') ? name.split('/') : ['', name]
    if (base === undefined || base.startsWith('.')) continue
    const { size } = await stat(join(at, name))
    const about = described.get(name)
    if (about?.bytes !== undefined && about.bytes !== size) {
      const problem = { folder: at, file: join(at, name), bytes: size, described: about.bytes }
      throw new ExportFolderError({ code: 'OTHER_SIZE', ...problem })
    }
    files.push({
      name,
      bytes: size,
      sha256: sums.get(name) ?? about?.hash?.replace(/^sha-?256:/iu, ''),
      rows: about?.rows,
      license: licenseOf.get(folder),
      ...(about?.openfountain && {
        earlier: { dataTime: about.openfountain.data_time, entries: about.openfountain.log.id },
      }),
      ...(about && { resource: { title: about.title, mediaType: about.mediatype } }),
    })
  }
  return files
}

async function readChecksums(at: string, names: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (!names.includes('SHA256SUMS')) return new Map()
  const text = await readFile(join(at, 'SHA256SUMS'), 'utf8')
  return new Map(
    text.split('\n').flatMap((line) => {
      const [, sum, name] = /^([0-9a-f]{64}) [ *](.+)$/u.exec(line) ?? []
      return sum !== undefined && name !== undefined ? [[name, sum] as const] : []
    }),
  )
}
