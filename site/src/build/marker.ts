import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { defaultRules, type Rules } from '@openfountain/core'
import { vocabulary } from '@openfountain/core/vocabulary'
import type { Streets } from '../streets/files.ts'
import type { Digests } from './build-cache.ts'
import type { SiteContext } from './context.ts'
import { contentsOf, type ContentFile } from './contents.ts'
import { extraState } from './extra.ts'
import { digest, digestProgram } from './digests.ts'
import { marker } from './leftovers.ts'
import type { CheckedOptions } from './options.ts'
import type { SiteReport } from './report.ts'
import type { SiteWarning } from './warnings.ts'

/** The part of the report that a build repeats when it leaves a site in place. */
export type Built = Omit<SiteReport, 'out' | 'unchangedPages' | 'unchangedData' | 'unchangedSite'>

const object = (value: unknown): boolean => typeof value === 'object' && value !== null

/** The record of a whole site: a build with the same state leaves the site in place. Only this program writes it. */
const Whole = z.object({
  /** Digest of all inputs of the site. */
  state: z.string(),
  contents: z.string(),
  built: z.custom<Built>(object),
  warnings: z.array(z.custom<SiteWarning>(object)),
})
type Whole = z.infer<typeof Whole>

const SiteMarker = z.object({
  format: z.literal(4),
  program: z.string(),
  files: z.record(z.string(), z.string()),
  data: z.string().optional(),
  whole: Whole.optional(),
})
export type SiteMarker = z.infer<typeof SiteMarker>

export async function readMarker(folder: string): Promise<SiteMarker | undefined> {
  try {
    return SiteMarker.parse(JSON.parse(await readFile(join(folder, marker), 'utf8')))
  } catch {
    return undefined
  }
}

export async function markerText(files: Digests, more: Pick<SiteMarker, 'data' | 'whole'>): Promise<string> {
  const text: SiteMarker = { format: 4, program: await digestProgram(), files, ...more }
  return JSON.stringify(text)
}

export async function digestsIn(found: SiteMarker | undefined): Promise<Digests> {
  return found?.program === (await digestProgram()) ? found.files : {}
}

export interface StateOptions {
  readonly rules: Rules | undefined
  readonly streets: Streets | undefined
}

/** Digest of all inputs of a site: data, options with their files, program. Undefined where changes of the data cannot be detected. */
export async function stateOf(
  checked: CheckedOptions,
  { rules, streets }: StateOptions,
): Promise<string | undefined> {
  const { dataState, data: _data, out: _out, linked: _linked, places, basemap, extra, ...options } = checked
  if (dataState === undefined) return undefined
  return digest([
    await digestProgram(),
    dataState,
    options,
    rules ?? defaultRules,
    places === undefined ? [] : [await readFile(places, 'utf8')],
    basemap?.kind === 'file' ? await versionOf(basemap.path) : basemap,
    streets?.archive,
    ...(extra === undefined ? [] : await extraState(extra)),
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

export function isWhole(whole: Whole, state: string | undefined, folder: string): boolean {
  return whole.state === state && whole.contents === digest(contentsOf(folder))
}

/** Digest of the inputs that all pages share, except the program. */
export function digestShared({
  data,
  languages,
  shapes: _shapes,
  onPage: _onPage,
  turns: _turns,
  cells: _cells,
  contributorPages: _people,
  fountainLanguages: _local,
  streets,
  ...same
}: Omit<SiteContext, 'toMake'>): string {
  const { registry, licenses, fictional } = data.folder
  return digest([
    same,
    // The style of streets is a function; no reused page depends on it.
    streets !== undefined,
    languages.map(({ tag, messages }) => [tag, messages]),
    vocabulary,
    [registry, licenses, fictional, data.attributions, data.folder.log !== undefined],
  ])
}
