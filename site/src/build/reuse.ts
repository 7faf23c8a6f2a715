import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { linkOrCopy } from '@openfountain/core/internal'
import { vocabulary } from '@openfountain/core/vocabulary'
import { assetFolder } from './bundle.ts'
import type { SiteContext } from './context.ts'
import { digest, digestPackage } from './digests.ts'
import { marker } from './leftovers.ts'
import type { PageChoice, PageKind, PagePath } from './page-choice.ts'
import { Whole } from './whole.ts'

/**
 * The content of a site's marker: digests and build facts, so that the next build can reuse unchanged pages. It is part
 * of the site and is replaced with it.
 */
const SiteMarker = z.object({
  format: z.literal(3),
  /** Of the inputs that all pages share: options, texts, scripts, this package. */
  shared: z.string(),
  /** Of the further inputs of a page, by the page's file. */
  pages: z.record(z.string(), z.string()),
  /** The state of its export, where it is known. */
  data: z.string().optional(),
  whole: Whole.optional(),
})
export type SiteMarker = z.infer<typeof SiteMarker>

/** The marker of the site in a folder; undefined when there is none that can be read. */
export async function readMarker(folder: string): Promise<SiteMarker | undefined> {
  try {
    return SiteMarker.parse(JSON.parse(await readFile(join(folder, marker), 'utf8')))
  } catch {
    return undefined
  }
}

/** Decides for each page whether to make it or to reuse that of an earlier site. */
export class Reuse implements PageChoice {
  readonly #now: SiteMarker
  readonly #before: SiteMarker | undefined
  readonly #earlier: string
  readonly #unchanged = new Set<string>()

  /**
   * @param shared digest of the inputs that all pages share
   * @param before the marker of the earlier site; undefined to make all pages
   * @param earlier its folder
   */
  constructor(shared: string, before: SiteMarker | undefined, earlier: string) {
    this.#now = { format: 3, shared, pages: {} }
    this.#before = before?.shared === shared ? before : undefined
    this.#earlier = earlier
  }

  /** The content of the new marker, once all pages are decided on. */
  get marker(): SiteMarker {
    return this.#now
  }

  /** The earlier site's files that are still current. */
  get unchanged(): ReadonlySet<string> {
    return this.#unchanged
  }

  toMake<Path extends PagePath>(paths: readonly Path[], kind: PageKind<Path>): Path[] {
    return paths.filter((path) => {
      const file = `${kind.folder(path)}/index.html`
      const inputs = digest([path.params, path.props, kind.more?.(path)]).slice(0, 22)
      this.#now.pages[file] = inputs
      const isSame = this.#before?.pages[file] === inputs && existsSync(join(this.#earlier, file))
      if (isSame) this.#unchanged.add(file)
      return !isSame
    })
  }
}

/** Reuses files of an earlier site, as hard links where possible. */
export async function takeOver(files: Iterable<string>, from: string, to: string): Promise<void> {
  for (const file of files) await linkOrCopy(join(from, file), join(to, file))
}

/** Whether two sites have the same scripts, styles and drawings, compared by the digests in their names. */
export async function haveSameAssets(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all(
    [one, other].map((folder) => readdir(join(folder, assetFolder), { recursive: true })),
  )
  return JSON.stringify(a?.toSorted()) === JSON.stringify(b?.toSorted())
}

/** Digest of the inputs that all pages share. */
export async function digestShared({
  data,
  languages,
  atlas: _atlas,
  onPage: _onPage,
  turns: _turns,
  ...context
}: Omit<SiteContext, 'reuse'>): Promise<string> {
  const { registry, licenses, fictional } = data.folder
  const { contributorPages: _people, fountainLanguages: _local, streets, ...same } = context
  return digest([
    await digestPackage(),
    same,
    // The style of streets is a function; no reused page depends on it.
    streets !== undefined,
    languages.map(({ tag, messages }) => [tag, messages]),
    vocabulary,
    [registry, licenses, fictional, data.attributions, data.folder.log !== undefined],
  ])
}
