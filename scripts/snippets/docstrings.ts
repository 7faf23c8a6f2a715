import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from '../packages/folders.ts'

/** An `@example` of a docstring. */
export interface DocExample {
  /** Path of the source from the root. */
  readonly path: string
  /** The line on which the example begins, from 1. */
  readonly line: number
  readonly code: string
}

const sources = [
  'packages/tlog/src',
  'packages/core/src',
  'packages/exchange/src',
  'packages/server/src',
  'packages/fastify/src',
  'packages/accounts/src',
  'packages/photos/src',
  'packages/telling/src',
  'packages/postgres/src',
  'packages/cli/src',
  'site/src',
]

/** Every `@example` in the docstrings of all packages. */
export async function docExamples(): Promise<DocExample[]> {
  const found: DocExample[] = []
  for (const folder of sources) {
    const names = await readdir(join(root, folder), { recursive: true })
    for (const name of names.filter((one) => one.endsWith('.ts')).toSorted()) {
      const path = `${folder}/${name}`
      found.push(...examplesIn(path, await readFile(join(root, path), 'utf8')))
    }
  }
  return found
}

/** The examples in the docstrings of one source. */
export function examplesIn(path: string, source: string): DocExample[] {
  return [...source.matchAll(/^[ \t]*\/\*\*.*?\*\//gmsu)].flatMap(({ 0: comment, index }) => {
    const [before, ...examples] = comment.split(/^[ \t]*\* @example[^\n]*\n/mu)
    let line = source.slice(0, index).split('\n').length + lines(before ?? '')
    return examples.map((text) => {
      const begin = line + 1
      line += 1 + lines(text)
      return { path, line: begin, code: codeOf(text) }
    })
  })
}

const lines = (text: string): number => text.split('\n').length - 1

/** The code of an example: to the next tag or the end of the comment, without the asterisks. */
function codeOf(text: string): string {
  const [own = ''] = text.split(/^[ \t]*\*[ \t]*@\w/mu)
  return own
    .replace(/\s*\*\/$/u, '')
    .split('\n')
    .map((line) => line.replace(/^[ \t]*\* ?/u, ''))
    .filter((line) => !line.startsWith('```'))
    .join('\n')
    .trim()
}
