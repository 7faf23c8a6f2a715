import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { root } from '../packages/folders.ts'

/** The rooms of the house: packages, and the folders of core. */

const packages: Readonly<Record<string, string>> = {
  core: 'packages/core/src',
  exchange: 'packages/exchange/src',
  server: 'packages/server/src',
  cli: 'packages/cli/src',
  site: 'site/src',
}

const introduction = `Which package imports from which, and which room of core from which, as the sources have it: an arrow points to what is
imported, with the number of files that import it. Types alone count, too. [CONTRIBUTING.md](../../CONTRIBUTING.md) says in
words what each of them is for.`

interface Import {
  readonly from: string
  readonly to: string
}

/** The sources below a folder, relative to it. */
function sourcesIn(folder: string): string[] {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(?:ts|astro)$/u.test(file))
    .toSorted()
}

/** What each source of a folder imports, as it is written. */
function importsIn(folder: string): { readonly file: string; readonly given: string }[] {
  return sourcesIn(folder).flatMap((file) => {
    const text = readFileSync(path.join(root, folder, file), 'utf8')
    const found = new Set([...text.matchAll(/(?:from|import) '([^']+)'/gu)].map(([, given = '']) => given))
    return [...found].map((given) => ({ file, given }))
  })
}

/** The folder of core that a file is in; what is in the root stands for the public nouns and the plain data. */
function roomOf(file: string): string {
  const [first = '', second] = file.split('/')
  if (second === undefined) return 'root'
  return first === 'store' && file.startsWith('store/sqlite/') ? 'store/sqlite' : first
}

function picture(imports: readonly Import[]): string {
  const counts = new Map<string, number>()
  for (const { from, to } of imports) {
    if (from === to) continue
    const arrow = `${from} ${to}`
    counts.set(arrow, (counts.get(arrow) ?? 0) + 1)
  }
  const node = (name: string) => `${name.replaceAll(/\W/gu, '_')}["${name}"]`
  const lines = [...counts].toSorted().map(([arrow, count]) => {
    const [from = '', to = ''] = arrow.split(' ')
    return `  ${node(from)} -->|${count}| ${node(to)}`
  })
  return ['```mermaid', 'flowchart LR', ...lines, '```'].join('\n')
}

function betweenPackages(): Import[] {
  return Object.entries(packages).flatMap(([from, folder]) =>
    importsIn(folder).flatMap(({ given }) => {
      const to = /^@openfountain\/(\w+)/u.exec(given)?.[1]
      return to === undefined ? [] : [{ from, to }]
    }),
  )
}

function withinCore(): Import[] {
  return importsIn(packages['core'] ?? '').flatMap(({ file, given }) =>
    given.startsWith('.')
      ? [{ from: roomOf(file), to: roomOf(path.posix.join(path.posix.dirname(file), given)) }]
      : [],
  )
}

/** The pictures of the house, made from its imports. */
export function house(): string {
  return `# The house

${introduction}

## Packages

${picture(betweenPackages())}

## Rooms of core

${picture(withinCore())}
`
}
