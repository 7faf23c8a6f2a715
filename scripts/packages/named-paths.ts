import { readdir, readFile } from 'node:fs/promises'
import { dirname, extname, join, normalize } from 'node:path'
import { localLinksOf } from './blocks.ts'

/** Folders of installed, built or packed files, which exist only after their command. */
const notOurs = new Set(['.git', '.astro', 'node_modules', 'dist', 'coverage', 'tarballs', 'release'])

const code = new Set(['.ts', '.tsx', '.mjs', '.astro', '.css'])

const commentLines = /^\s*\{?(?:\/\/|\/?\*|<!--).*$/gmu
const sourceFile = /(?<![\w/.@$*-])(?:[\w.-]+\/)*[\w.-]+\.(?:tsx?|astro)(?![\w/])/gu
const fromRoot =
  /(?<![\w/.@$-])(?:packages\/[\w*]+|site\/(?:src|test|public)|scripts|examples|docs|\.ci)(?:\/[\w.*-]+)+/gu

/** A missing path in a text. */
export interface DeadPath {
  /** The text's file, from the root. */
  readonly file: string
  readonly path: string
}

/**
 * Missing paths in Markdown (outside of its blocks of code) or in comments of code: links, source files, and paths that
 * begin with a folder of the root. A path is looked up from the root, from the file that names it, and as the end of
 * any other path, since texts say `decide/waypoint.ts` where the package is plain. A `*` stands for any name.
 *
 * @returns in the order of the files, empty when every path exists
 */
export async function deadPaths(root: string): Promise<DeadPath[]> {
  const files = await repositoryFiles(root)
  const all = new Set(files.flatMap((file) => [file, ...foldersOf(file)]))
  const lines = `/${[...all].join('\n/')}\n`
  const isThere = (file: string, path: string): boolean =>
    path.split('/').some((part) => notOurs.has(part)) ||
    all.has(from(file, path)) ||
    new RegExp(`/${pattern(path)}\n`, 'u').test(lines)
  const lists = files
    .filter((file) => file.endsWith('.md') || code.has(extname(file)))
    .map(async (file) => {
      const text = await readFile(join(root, file), 'utf8')
      const [prose, links] = file.endsWith('.md')
        ? [text.replaceAll(/^```.*?^```$|\]\([^)]*\)/gmsu, ' '), localLinksOf(text)]
        : [(text.match(commentLines) ?? []).join('\n'), []]
      const dead = [
        ...links.filter((link) => !all.has(from(file, link))),
        ...pathsIn(prose).filter((path) => !isThere(file, path)),
      ]
      return dead.map((path) => ({ file, path }))
    })
  return (await Promise.all(lists)).flat()
}

async function repositoryFiles(root: string, folder = ''): Promise<string[]> {
  const entries = await readdir(join(root, folder), { withFileTypes: true })
  const lists = entries
    .filter(({ name }) => !notOurs.has(name))
    .map(async (entry): Promise<string[]> => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return repositoryFiles(root, path)
      return entry.isFile() ? [path] : []
    })
  return (await Promise.all(lists)).flat().toSorted()
}

function foldersOf(path: string): string[] {
  const folder = dirname(path)
  return folder === '.' ? [] : [folder, ...foldersOf(folder)]
}

function from(file: string, path: string): string {
  return normalize(join(dirname(file), path)).replace(/\/$/u, '')
}

function pathsIn(prose: string): string[] {
  const text = prose.replaceAll(/\b[a-z]+:\/\/\S+/gu, '')
  const found = [...text.matchAll(sourceFile), ...text.matchAll(fromRoot)]
  return [...new Set(found.map(([path]) => path.replace(/[./]+$/u, '')))]
}

function pattern(path: string): string {
  return path.replaceAll(/[.+?^${}()|[\]\\]/gu, String.raw`\$&`).replaceAll('*', '[^/\n]*')
}
