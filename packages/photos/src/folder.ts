import { randomBytes } from 'node:crypto'
import { constants, existsSync } from 'node:fs'
import { chmod, mkdir, open, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises'
import path from 'node:path'
import { RegistryError } from '@openfountain/core'
import {
  giveFolder,
  linkOrCopy,
  type PhotoFile,
  type PhotoStorage,
  type StoredFile,
} from '@openfountain/core/internal'
import { photos } from '@openfountain/core/rules'

const ownerOnly = 0o700
const named = /^[0-9a-f]{64}\.webp$/u
const unfinished = /^[0-9a-f]{64}\.[0-9a-f]+\.part$/u

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined

function storageError(error: unknown, place: string): unknown {
  const code = codeOf(error)
  const system = typeof code === 'string' ? code : undefined
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new RegistryError('STORAGE_FULL', `The disk of ${place} is full; the photo was not added`, {
      system,
    })
  if (system === undefined) return error
  return new RegistryError(
    'STORAGE_READ_ONLY',
    `${place} cannot be written (${system}): see its owner and mode`,
    {
      system,
    },
  )
}

/** `DIR/ab/abcd….webp`, for its owner alone; written whole under another name, flushed, and renamed. */
export class PhotoFolder implements PhotoStorage {
  readonly place: string

  /** @param folder made with the first file */
  constructor(folder: string) {
    this.place = path.resolve(folder)
  }

  /** @throws RegistryError STORAGE_FULL, STORAGE_READ_ONLY */
  async put({ sha256, bytes }: PhotoFile): Promise<void> {
    const file = this.#pathOf(sha256)
    const now = new Date()
    try {
      await utimes(file, now, now)
      return
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw storageError(error, this.place)
    }
    const part = `${file.slice(0, -'webp'.length)}${randomBytes(6).toString('hex')}.part`
    try {
      await this.#ensureFolder(path.dirname(file))
      await written(part, bytes)
      await rename(part, file)
      await synced(path.dirname(file))
    } catch (error) {
      await rm(part, { force: true }).catch(() => {})
      throw storageError(error, this.place)
    }
  }

  async get(sha256: string): Promise<Uint8Array | undefined> {
    try {
      return await readFile(this.#pathOf(sha256))
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined
      throw error
    }
  }

  async has(sha256: string): Promise<boolean> {
    return existsSync(this.#pathOf(sha256))
  }

  async copy(sha256: string, to: string): Promise<number | undefined> {
    try {
      await linkOrCopy(this.#pathOf(sha256), to)
      return (await stat(to)).size
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined
      throw error
    }
  }

  async delete(sha256: string): Promise<void> {
    const file = this.#pathOf(sha256)
    try {
      await rm(file)
      await synced(path.dirname(file))
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error
    }
  }

  async *list(): AsyncGenerator<StoredFile> {
    for await (const { name, writtenAt } of this.#files(named))
      yield { sha256: name.slice(0, 64), writtenAt: new Date(writtenAt).toISOString() }
  }

  async tidy(): Promise<void> {
    const old = Date.now() - photos.unnamedHours * 60 * 60 * 1000
    for await (const { file, writtenAt } of this.#files(unfinished))
      if (writtenAt < old) await rm(file, { force: true })
  }

  /** The files with names of a form, and when they were written, in milliseconds. */
  async *#files(form: RegExp): AsyncGenerator<{ name: string; file: string; writtenAt: number }> {
    for (const folder of await namesIn(this.place)) {
      if (!/^[0-9a-f]{2}$/u.test(folder)) continue
      for (const name of await namesIn(path.join(this.place, folder))) {
        const file = path.join(this.place, folder, name)
        const found = form.test(name) ? await stat(file).catch(() => undefined) : undefined
        if (found !== undefined) yield { name, file, writtenAt: found.mtimeMs }
      }
    }
  }

  #pathOf(sha256: string): string {
    if (!/^[0-9a-f]{64}$/u.test(sha256)) throw new Error('a file is named by its hash')
    return path.join(this.place, sha256.slice(0, 2), `${sha256}.webp`)
  }

  async #ensureFolder(folder: string): Promise<void> {
    const isNew = (await mkdir(this.place, { recursive: true, mode: ownerOnly })) !== undefined
    if (isNew) {
      // Whatever the process masks.
      await chmod(this.place, ownerOnly)
      giveFolder(this.place)
    }
    if ((await mkdir(folder, { recursive: true, mode: ownerOnly })) === undefined) return
    giveFolder(folder)
    await synced(this.place)
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return []
    throw error
  }
}

async function written(file: string, bytes: Uint8Array): Promise<void> {
  const { O_CREAT, O_EXCL, O_WRONLY, O_NOFOLLOW = 0 } = constants
  const handle = await open(file, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW, 0o644)
  try {
    await handle.writeFile(bytes)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function synced(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
