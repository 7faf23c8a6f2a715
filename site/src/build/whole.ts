import { readFile, stat } from 'node:fs/promises'
import { z } from 'zod'
import { defaultRules, type Rules } from '@openfountain/core'
import type { Streets } from '../streets/files.ts'
import { contentsOf, type ContentFile } from './contents.ts'
import { digest, digestProgram } from './digests.ts'
import type { CheckedOptions } from './options.ts'
import type { SiteReport } from './report.ts'
import type { SiteWarning } from './warnings.ts'

/** The part of the report that a build repeats when it leaves a site in place. */
export type Built = Omit<SiteReport, 'out' | 'unchangedPages' | 'unchangedData' | 'unchangedSite'>

const object = (value: unknown): boolean => typeof value === 'object' && value !== null

/** The record of a whole site: a build with the same state leaves the site in place. Only this program writes it. */
export const Whole = z.object({
  /** Digest of all inputs of the site. */
  state: z.string(),
  /** Digest of the names and sizes of its files. */
  contents: z.string(),
  built: z.custom<Built>(object),
  warnings: z.array(z.custom<SiteWarning>(object)),
})
export type Whole = z.infer<typeof Whole>

export interface StateOptions {
  readonly rules: Rules | undefined
  readonly streets: Streets | undefined
}

/**
 * Digest of all inputs of a site: its data, the options with their files, and the program. Undefined where changes of
 * the data cannot be detected.
 */
export async function stateOf(
  checked: CheckedOptions,
  { rules, streets }: StateOptions,
): Promise<string | undefined> {
  const { dataState, data: _data, out: _out, linked: _linked, places, basemap, ...options } = checked
  if (dataState === undefined) return undefined
  return digest([
    await digestProgram(),
    dataState,
    options,
    rules ?? defaultRules,
    places === undefined ? [] : [await readFile(places, 'utf8')],
    basemap?.kind === 'file' ? await versionOf(basemap.path) : basemap,
    streets?.archive,
  ])
}

/** The tiles are not read: a changed file has another modification time. */
async function versionOf(path: string): Promise<unknown> {
  const { size, mtimeMs } = await stat(path)
  return [size, mtimeMs]
}

/** Warnings that name files of one build, so that a site with them has no record. */
const namingFiles: ReadonlySet<SiteWarning['code']> = new Set(['RECORD_SKIPPED'])

/** The record of a whole site; undefined where the next build could not repeat the report of this one. */
export function wholeOf(
  state: string | undefined,
  contents: readonly ContentFile[],
  built: Built,
  warnings: readonly SiteWarning[],
): Whole | undefined {
  if (state === undefined || warnings.some(({ code }) => namingFiles.has(code))) return undefined
  return { state, contents: digest(contents), built, warnings: [...warnings] }
}

/** Whether the site in a folder, with all of its files, is the one that would be built. */
export async function isWhole(whole: Whole, state: string | undefined, folder: string): Promise<boolean> {
  return whole.state === state && whole.contents === digest(await contentsOf(folder))
}
