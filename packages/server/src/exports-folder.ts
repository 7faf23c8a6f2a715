import { createHash } from 'node:crypto'
import { readFile, realpath, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { mediaTypeOf } from './http/media-types.ts'

export const ExportFile = z
  .object({
    file: z.string().meta({
      description: 'What follows /api/exports/; files of one licence may stand in a folder of its name',
    }),
    title: z.string().optional(),
    mediaType: z.string(),
    bytes: z.int().min(0),
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
    rows: z.int().min(0).optional(),
    license: z.string().meta({ description: 'An SPDX id or a name' }),
    createdAt: z.iso
      .datetime()
      .meta({ description: 'The time of its data: the last write, or of when its states are' }),
    ageSeconds: z.int().min(0),
  })
  .meta({ id: 'ExportFile' })
export type ExportFile = z.infer<typeof ExportFile>

const Licence = z.object({
  name: z.string().optional(),
  title: z.string().optional(),
  path: z.string().optional(),
})

/** The members read from a data package (https://datapackage.org). */
const DataPackage = z.object({
  created: z.iso.datetime().optional(),
  licenses: z.array(Licence).optional(),
  resources: z
    .array(
      z.object({
        path: z.string(),
        title: z.string().optional(),
        mediatype: z.string().optional(),
        rows: z.int().optional(),
        licenses: z.array(Licence).optional(),
        // Set when the file is older than the others.
        openfountain: z
          .object({ data_time: z.iso.datetime(), as_of: z.iso.datetime() })
          .transform((moment) => (moment.as_of > moment.data_time ? moment.as_of : moment.data_time))
          .optional(),
      }),
    )
    .optional(),
  openfountain: z
    .object({
      parts: z.array(z.object({ folder: z.string(), license: z.string() })).optional(),
    })
    .optional(),
})
type DataPackage = z.infer<typeof DataPackage>

const line = /^([0-9a-f]{64}) [ *](.+)$/
/** A file, or a file in the folder of a licence. */
const plainName = /^(?:[A-Za-z0-9][A-Za-z0-9._+-]*\/)?[A-Za-z0-9][A-Za-z0-9._+-]*$/
const sumsName = 'SHA256SUMS'

type Listed = Omit<ExportFile, 'ageSeconds'>

interface Edition {
  readonly mark: string
  /** The folder of its files; for dated exports the target of `latest`. */
  readonly folder: string
  readonly files: ReadonlyMap<string, Listed>
}

const nothing: Edition = { mark: '', folder: '', files: new Map() }

/** The files that SHA256SUMS lists and datapackage.json describes, of an export or of the `latest` of dated ones. */
export class ExportsFolder {
  readonly #folder: string
  readonly #license: string
  #edition = nothing

  /** @param license the licence of files without their own */
  constructor(folder: string, license: string) {
    this.#folder = resolve(folder)
    this.#license = license
  }

  /** The files in the order of SHA256SUMS; none when there is no export yet. */
  async list(now: Date): Promise<ExportFile[]> {
    const { files } = await this.#current()
    const ageSeconds = ({ createdAt }: Listed): number =>
      Math.max(0, Math.floor((now.getTime() - Date.parse(createdAt)) / 1000))
    return Array.from(files.values(), (file) => ({ ...file, ageSeconds: ageSeconds(file) }))
  }

  async find(name: string): Promise<{ readonly file: Listed; readonly path: string } | undefined> {
    const { folder, files } = await this.#current()
    const file = files.get(name)
    return file === undefined ? undefined : { file, path: join(folder, name) }
  }

  /** The current edition, read again when an export has replaced it. */
  async #current(): Promise<Edition> {
    for (const folder of [this.#folder, join(this.#folder, 'latest')]) {
      const path = await realpath(folder).catch(undefinedIfMissing)
      const sums = path === undefined ? undefined : await stat(join(path, sumsName)).catch(undefinedIfMissing)
      if (path === undefined || sums === undefined) continue
      const mark = `${path}:${sums.ino}:${sums.mtimeMs}:${sums.size}`
      if (this.#edition.mark !== mark) this.#edition = { mark, folder: path, files: await this.#read(path) }
      return this.#edition
    }
    return nothing
  }

  async #read(folder: string): Promise<Map<string, Listed>> {
    const sums = await readFile(join(folder, sumsName), 'utf8')
    const described = await describe(folder)
    const resources = new Map((described.resources ?? []).map((resource) => [resource.path, resource]))
    const licenses = new Map(described.openfountain?.parts?.map((one) => [one.folder, one.license]))
    const whole = licenses.size > 0 ? undefined : licenseName(described.licenses)
    const license = whole ?? this.#license
    const files = new Map<string, Listed>()
    // The list of checksums cannot contain its own, but is offered too.
    const all = `${sums}\n${createHash('sha256').update(sums).digest('hex')}  ${sumsName}`
    for (const entry of all.split('\n')) {
      const [, sha256, file] = line.exec(entry) ?? []
      if (sha256 === undefined || file === undefined || !plainName.test(file)) continue
      const found = await stat(join(folder, file)).catch(undefinedIfMissing)
      if (found?.isFile() !== true) continue
      const resource = resources.get(file)
      files.set(file, {
        file,
        ...(resource?.title === undefined ? {} : { title: resource.title }),
        mediaType: resource?.mediatype ?? (file.endsWith(sumsName) ? 'text/plain' : mediaTypeOf(file)),
        bytes: found.size,
        sha256,
        ...(resource?.rows === undefined ? {} : { rows: resource.rows }),
        license:
          licenses.get(file.slice(0, Math.max(0, file.indexOf('/')))) ??
          licenseName(resource?.licenses) ??
          license,
        createdAt: resource?.openfountain ?? described.created ?? found.mtime.toISOString(),
      })
    }
    return files
  }
}

/** The id of a licence with an address, else its name as written, which may not be a valid id. */
const licenseName = ([license]: readonly z.infer<typeof Licence>[] = []): string | undefined =>
  license?.path === undefined ? (license?.title ?? license?.name) : (license.name ?? license.title)

async function describe(folder: string): Promise<DataPackage> {
  const text = await readFile(join(folder, 'datapackage.json'), 'utf8').catch(undefinedIfMissing)
  return text === undefined ? {} : DataPackage.parse(JSON.parse(text))
}

function undefinedIfMissing(error: unknown): undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error
}
