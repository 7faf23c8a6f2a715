import { existsSync, readdirSync } from 'node:fs'
import { copyFile, mkdir, stat } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { explain } from '../data/problem.ts'
import { marker } from './leftovers.ts'
import { SiteOptionError } from './option-error.ts'

/** An operator's own files below their folder, with `/`, sorted. @throws {SiteOptionError} for what is no file or folder */
export function extraFiles(extra: string): string[] {
  const files: string[] = []
  for (const entry of entriesOf(extra)) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isDirectory()) continue
    if (!entry.isFile()) throw new SiteOptionError({ code: 'EXTRA_NO_FILE', option: 'extra', path })
    files.push(relative(extra, path).split(sep).join('/'))
  }
  return files.toSorted()
}

function entriesOf(extra: string) {
  try {
    return readdirSync(extra, { recursive: true, withFileTypes: true })
  } catch (error) {
    throw new SiteOptionError({ code: 'EXTRA_UNREADABLE', option: 'extra', extra, reason: explain(error) })
  }
}

/** The files with their sizes and times of modification, by which a changed one is recognised. */
export const extraState = (extra: string): Promise<unknown[]> =>
  Promise.all(
    extraFiles(extra).map(async (name) => {
      const { size, mtimeMs } = await stat(join(extra, name))
      return [name, size, mtimeMs]
    }),
  )

/** Copies an operator's own files into a site. @throws {SiteOptionError} for one with the name of a file of the site */
export async function addExtra(extra: string, site: string): Promise<void> {
  for (const name of extraFiles(extra)) {
    const to = join(site, name)
    if (name === marker || existsSync(to))
      throw new SiteOptionError({ code: 'EXTRA_IN_USE', option: 'extra', name })
    await mkdir(dirname(to), { recursive: true })
    await copyFile(join(extra, name), to)
  }
}
