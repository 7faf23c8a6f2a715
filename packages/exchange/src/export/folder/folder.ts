import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, rename, rm, rmdir, symlink } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { giveFolder, invalidBecause } from '@openfountain/core/internal'
import { compressedEndings } from './precompress.ts'

/** Files whose presence means that an export is complete; they are moved into place last. */
const seals = ['SHA256SUMS', 'datapackage.json']

/** A folder that is being written; nothing else changes before `publish`. */
export interface Draft {
  readonly path: string
  /** Moves all written files into place. @returns the folder where they are now */
  publish(files: readonly string[]): Promise<string>
  discard(): Promise<void>
}

/** @returns a function that removes the folders made, as far as they are empty */
async function makeFolder(directory: string): Promise<() => Promise<void>> {
  const highest = await mkdir(directory, { recursive: true })
  if (highest !== undefined) giveFolder(highest)
  return async () => {
    if (highest === undefined) return
    for (let folder = resolve(directory); folder.length >= highest.length; folder = dirname(folder))
      if (!(await removedIfEmpty(folder))) return
  }
}

/** A draft of the future `directory`. @param publish moves the files written to `path` into place */
async function draftOf(
  directory: string,
  publish: (path: string, files: readonly string[]) => Promise<string>,
): Promise<Draft> {
  const removeFolder = await makeFolder(directory)
  const path = await mkdtemp(join(directory, '.export-'))
  return {
    path,
    publish: (files) => {
      giveFolder(path)
      return publish(path, files)
    },
    discard: async () => {
      await rm(path, { recursive: true, force: true })
      await removeFolder()
    },
  }
}

/**
 * A draft of the files of `directory`. It is made inside it, so that each file is moved by a rename.
 * Files that the previous export listed and this one does not have are removed; all other files stay.
 */
export const draftIn = (directory: string): Promise<Draft> =>
  draftOf(directory, async (path, files) => {
    const previous = await listedFiles(directory)
    const ordered = files.toSorted((one, other) => seals.indexOf(one) - seals.indexOf(other))
    for (const file of ordered) {
      const made = await mkdir(dirname(join(directory, file)), { recursive: true })
      if (made !== undefined) giveFolder(made)
      await rename(join(path, file), join(directory, file))
    }
    const old = previous.flatMap((file) => [file, ...formsOf(file)])
    for (const file of old) if (!files.includes(file)) await removed(directory, file)
    await rm(path, { recursive: true })
    return directory
  })

/**
 * A draft of a new folder `name` in `directory`, which appears complete; then the symbolic link `latest` is
 * changed to it in one step.
 *
 * @throws {RegistryError} INVALID_INPUT when the folder exists
 */
export async function draftBeside(directory: string, name: string): Promise<Draft> {
  const target = join(directory, name)
  if (existsSync(target))
    throw invalidBecause('dated', `the folder ${name} exists already: wait a second, or write without a date`)
  return draftOf(directory, async (path) => {
    // Only the owner may read a folder of mkdtemp; a web server has to read the published one.
    await chmod(path, 0o755)
    await rename(path, target)
    const link = `${path}.latest`
    await symlink(name, link)
    await rename(link, join(directory, 'latest'))
    return target
  })
}

async function removed(directory: string, file: string): Promise<void> {
  await rm(join(directory, file), { force: true })
  const folder = dirname(file)
  if (folder !== '.') await removedIfEmpty(join(directory, folder))
}

const removedIfEmpty = (folder: string): Promise<boolean> =>
  rmdir(folder).then(
    () => true,
    () => false,
  )

/** The name of a dated folder: the time to the second, in UTC, without colons. */
export const datedName = (time: Date): string => `${time.toISOString().slice(0, 19).replaceAll(':', '')}Z`

/** The files that the checksums in a folder list, and the checksums themselves; none when there are none. */
async function listedFiles(directory: string): Promise<string[]> {
  if (!existsSync(join(directory, 'SHA256SUMS'))) return []
  const text = await readFile(join(directory, 'SHA256SUMS'), 'utf8')
  const listed = text.split('\n').flatMap((line) => /^[0-9a-f]{64} [ *](.+)$/u.exec(line)?.[1] ?? [])
  return [...listed.filter(staysWithin), 'SHA256SUMS']
}

const formsOf = (file: string): string[] => compressedEndings.map((ending) => `${file}.${ending}`)

/** Whether a path can only be inside the folder. */
const staysWithin = (path: string): boolean =>
  path.split('/').every((part) => part !== '' && !part.startsWith('.') && !part.includes('\\'))
