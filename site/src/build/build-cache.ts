import { hash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { linkOrCopy } from '@openfountain/core/internal'
import { digest } from './digests.ts'

export interface CacheFolders {
  readonly folder: string
  readonly earlier?: string
  /** The digests of its files; none where another version of the program made them. */
  readonly before?: Digests | undefined
}

/** Digests of the inputs of files, by the files' paths. */
export type Digests = Readonly<Record<string, string>>

/** A page as Astro makes it: the parameters of its address, and its props. */
interface PagePath {
  readonly params: Readonly<Record<string, string | undefined>>
  readonly props: object
}

interface PageKind<Path extends PagePath> {
  /** The page's folder below the site's root, such as `waypoint/17`. */
  folder(path: Path): string
  /** Further inputs of the page that are neither in its props nor on all pages; default none. */
  more?(path: Path): unknown
}

/** Reuses unchanged pages of the earlier site, and returns the others, which must be made. */
export type PageChoice = <Path extends PagePath>(
  paths: readonly Path[],
  kind: PageKind<Path>,
) => Promise<Path[]>

/** 132 bits. */
const digestLength = 22

/** Reuses files of the earlier site whose inputs are the same; the result is the same without. */
export class BuildCache {
  readonly #folder: string
  readonly #earlier: string
  readonly #before: Digests
  readonly #now: Record<string, string> = {}

  constructor({ folder, earlier = '', before = {} }: CacheFolders) {
    this.#folder = folder
    this.#earlier = earlier
    this.#before = before
  }

  get digests(): Digests {
    return this.#now
  }

  /** Writes a file at a path below the site's folder, or reuses the earlier one. @param inputs all but the program */
  async write(path: string, inputs: string, make: () => string | Promise<Uint8Array>): Promise<void> {
    if (!(await this.#isReused(path, inputs))) await writeFile(join(this.#folder, path), await make())
  }

  /** The choice of the pages to make. @param shared digest of the inputs that all pages share */
  pageChoice(shared: string): PageChoice {
    return async (paths, kind) => {
      const toMake: (typeof paths)[number][] = []
      for (const path of paths) {
        const inputs = digest([shared, path.params, path.props, kind.more?.(path)])
        if (!(await this.#isReused(`${kind.folder(path)}/index.html`, inputs))) toMake.push(path)
      }
      return toMake
    }
  }

  async #isReused(path: string, inputs: string): Promise<boolean> {
    const found = hash('sha256', inputs, 'base64url').slice(0, digestLength)
    this.#now[path] = found
    if (this.#before[path] !== found) return false
    return linkOrCopy(join(this.#earlier, path), join(this.#folder, path)).then(
      () => true,
      () => false,
    )
  }
}
