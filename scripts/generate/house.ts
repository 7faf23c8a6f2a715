import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { root } from '../packages/folders.ts'
import { table } from './tables.ts'

/** The rooms of the house: packages, and the folders of core. The picture is drawn from their imports. */

const packages: Readonly<Record<string, string>> = {
  core: 'packages/core/src',
  exchange: 'packages/exchange/src',
  server: 'packages/server/src',
  fastify: 'packages/fastify/src',
  accounts: 'packages/accounts/src',
  postgres: 'packages/postgres/src',
  cli: 'packages/cli/src',
  site: 'site/src',
}

const introduction = `Which package imports from which, and which room of core from which, as the sources have it. An arrow points to what is
imported. [CONTRIBUTING.md](../../CONTRIBUTING.md) says in words what each of them is for, [the write path](write-path.md)
shows how they work together.`

const aboutPackages = 'The numbers are those of the files that import, types included.'

const aboutRooms = `The numbers are those of the files of each room. Arrows are what is imported when the program runs, without types; one is left
out where a longer way leads there too. _plain data_ are the files of the root that import no other room, such as rules, fields
and vocabulary; _nouns_ are the others, which the library exports.`

const aboutTable = `All imports between rooms: how many of them the row has from the column, and after a \`+\` how many more of types alone.`

interface Import {
  readonly from: string
  readonly to: string
  /** Whether all names are types, so that the program does not load the module. */
  readonly isType: boolean
}

/** The sources below a folder, relative to it. */
function sourcesIn(folder: string): string[] {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(?:ts|astro)$/u.test(file))
    .toSorted()
}

/** The imports of each source in a folder, as written; each once. */
function importsIn(
  folder: string,
): (Pick<Import, 'isType'> & { readonly file: string; readonly given: string })[] {
  return sourcesIn(folder).flatMap((file) => {
    const text = readFileSync(path.join(root, folder, file), 'utf8')
    const loaded = new Map<string, boolean>()
    for (const [, names = '', given = ''] of text.matchAll(
      /^(?:import|export)\b((?:(?!\bfrom\b)[^'=;])*)(?:from )?'([^']+)'/gmu,
    ))
      loaded.set(given, loaded.get(given) === true || !isOfTypes(names))
    return [...loaded].map(([given, isLoaded]) => ({ file, given, isType: !isLoaded }))
  })
}

/** Whether the names of an import are types: `type { … }`, or `{ type …, type … }`. */
function isOfTypes(names: string): boolean {
  const given = names.trim()
  if (given.startsWith('type ')) return true
  const list = given.replaceAll(/[{}]/gu, '').split(',')
  const named = list.map((name) => name.trim()).filter((name) => name !== '')
  return named.length > 0 && named.every((name) => name.startsWith('type '))
}

/** An arrow between two rooms, with the number of imports. */
interface Arrow {
  readonly from: string
  readonly to: string
  readonly count: number
}

function arrowsOf(imports: readonly Import[]): Arrow[] {
  const groups = Map.groupBy(
    imports.filter(({ from, to }) => from !== to),
    ({ from, to }) => `${from} → ${to}`,
  )
  return [...groups.values()]
    .flatMap(([first, ...others]) => (first ? [{ ...first, count: 1 + others.length }] : []))
    .toSorted((a, b) => (`${a.from} ${a.to}` < `${b.from} ${b.to}` ? -1 : 1))
}

/** The arrows without redundant ones, which a longer path replaces; those with the fewest imports go first. */
function reduced(arrows: readonly Arrow[]): Arrow[] {
  let left = [...arrows]
  for (const arrow of arrows.toSorted((a, b) => a.count - b.count)) {
    const others = left.filter((one) => one !== arrow)
    if (leads(others, arrow.from, arrow.to)) left = others
  }
  return left
}

function leads(arrows: readonly Arrow[], from: string, to: string): boolean {
  const seen = new Set([from])
  for (const one of seen) for (const arrow of arrows) if (arrow.from === one) seen.add(arrow.to)
  return seen.has(to)
}

function picture(arrows: readonly Arrow[], labels: ReadonlyMap<string, string>): string {
  const id = (name: string) => name.replaceAll(/\W/gu, '_')
  const nodes = [...labels].map(([name, label]) => `  ${id(name)}["${label}"]`)
  return ['```mermaid', 'flowchart TB', ...nodes, ...arrows.map(lineOf), '```'].join('\n')

  function lineOf({ from, to, count }: Arrow): string {
    return `  ${id(from)} -->${labels.get(from) === from ? `|${count}|` : ''} ${id(to)}`
  }
}

function betweenPackages(): Arrow[] {
  return arrowsOf(
    Object.entries(packages).flatMap(([from, folder]) =>
      importsIn(folder).flatMap(({ given, isType }) => {
        const to = /^@openfountain\/(\w+)/u.exec(given)?.[1]
        return to === undefined ? [] : [{ from, to, isType }]
      }),
    ),
  )
}

const core = packages['core'] ?? ''
const [nouns, plainData] = ['nouns', 'plain data']

/** The rooms of core by file. Files of the root are plain data when they load no other room. */
function roomsOfCore(): ReadonlyMap<string, string> {
  const folderOf = (file: string): string => {
    const [first = '', second] = file.split('/')
    if (second === undefined) return ''
    return first === 'store' && file.startsWith('store/sqlite/') ? 'store/sqlite' : first
  }
  const loads = new Set(
    importsIn(core).flatMap(({ file, given, isType }) =>
      !isType && given.startsWith('.') && folderOf(path.posix.join(path.posix.dirname(file), given)) !== ''
        ? [file]
        : [],
    ),
  )
  return new Map(
    sourcesIn(core).map((file) => {
      const folder = folderOf(file)
      return [file, folder === '' ? (loads.has(file) ? nouns : plainData) : folder]
    }),
  )
}

function withinCore(rooms: ReadonlyMap<string, string>): Import[] {
  return importsIn(core).flatMap(({ file, given, isType }) => {
    const from = rooms.get(file)
    const to = rooms.get(path.posix.join(path.posix.dirname(file), given))
    return from === undefined || to === undefined || !given.startsWith('.') ? [] : [{ from, to, isType }]
  })
}

function tableOf(imports: readonly Import[], rooms: readonly string[]): string {
  const count = (from: string, to: string, isType: boolean) =>
    imports.filter((one) => one.from === from && one.to === to && one.isType === isType).length
  const cell = (from: string, to: string): string => {
    const [loaded, types] = [count(from, to, false), count(from, to, true)]
    if (from === to || loaded + types === 0) return ''
    return types === 0 ? String(loaded) : `${loaded} + ${types}`
  }
  return table(
    ['', ...rooms],
    rooms.map((from) => [`**${from}**`, ...rooms.map((to) => cell(from, to))]),
  )
}

/** The pictures of the house, made from its imports. */
export function house(): string {
  const between = betweenPackages()
  const rooms = roomsOfCore()
  const imports = withinCore(rooms)
  const names = [...new Set(rooms.values())].toSorted()
  const sizes = new Map(names.map((name) => [name, [...rooms.values()].filter((one) => one === name).length]))
  const labels = new Map(names.map((name) => [name, `${name} · ${sizes.get(name) ?? 0}`]))
  const loaded = reduced(arrowsOf(imports.filter(({ isType }) => !isType)))
  return `# The house

${introduction}

## Packages

${aboutPackages}

${picture(between, new Map(Object.keys(packages).map((name) => [name, name])))}

## Rooms of core

${aboutRooms}

${picture(loaded, labels)}

${aboutTable}

${tableOf(imports, names)}
`
}
