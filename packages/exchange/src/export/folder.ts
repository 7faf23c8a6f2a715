import { mkdir, mkdtemp, readFile, rename, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'

/** Names of the files whose arrival says that an export is complete; they are put in place last. */
const seals = ['SHA256SUMS', 'datapackage.json']

/** A folder in the making, beside or in which nothing is touched before `publish`. */
export interface Draft {
  /** Where files are to be written. */
  readonly path: string
  /** Puts all written files in place. Answers the folder where they now are. */
  publish(files: readonly string[]): Promise<string>
  /** Removes everything that was written. */
  discard(): Promise<void>
}

/**
 * A draft of the files of `directory`. It is made inside it, so that each file gets in place by a rename.
 * Files that the former export listed and this one lacks are removed; all other files stay.
 */
export async function draftIn(directory: string): Promise<Draft> {
  await mkdir(directory, { recursive: true })
  const path = await mkdtemp(join(directory, '.export-'))
  return {
    path,
    publish: async (files) => {
      const former = await listedFiles(directory)
      const ordered = files.toSorted((one, other) => seals.indexOf(one) - seals.indexOf(other))
      for (const file of ordered) await rename(join(path, file), join(directory, file))
      for (const file of former) if (!files.includes(file)) await rm(join(directory, file), { force: true })
      await rm(path, { recursive: true })
      return directory
    },
    discard: () => rm(path, { recursive: true, force: true }),
  }
}

/**
 * A draft of a new folder `name` in `directory`, which appears whole; then the symbolic link `latest` turns to
 * it in one step.
 *
 * @throws {Error} when publishing a folder that exists
 */
export async function draftBeside(directory: string, name: string): Promise<Draft> {
  await mkdir(directory, { recursive: true })
  const path = await mkdtemp(join(directory, '.export-'))
  return {
    path,
    publish: async () => {
      const target = join(directory, name)
      await rename(path, target)
      const link = `${path}.latest`
      await symlink(name, link)
      await rename(link, join(directory, 'latest'))
      return target
    },
    discard: () => rm(path, { recursive: true, force: true }),
  }
}

/** The files that the data package in a folder lists, itself and its companions included; none when there is none. */
async function listedFiles(directory: string): Promise<string[]> {
  const text = await readFile(join(directory, 'datapackage.json'), 'utf8').catch(() => '{}')
  const { resources = [] } = JSON.parse(text) as { resources?: { path?: unknown }[] }
  return resources.flatMap(({ path }) => (typeof path === 'string' && !/[/\\]|^\./u.test(path) ? [path] : []))
}
