import { globSync, readFileSync } from 'node:fs'

/**
 * The share of the PostgreSQL engine's lines that are also in the SQLite engine, without blank lines, comments,
 * imports, migrations and lines that only open or close a block. Above the limit it exits with 1.
 */

const most = 0.1
/** Lines that only open a block or an object. */
const opening = /^(?:\}? ?(?:try|else|finally|do|catch(?: \(error\))?)|return|\): Promise<void>) [{[]$/
const comment = /^(?:\/\/|\/\*|\*)/
const statementOfImports =
  /^(?:import|export) (?:type )?(?:\*|\{[^}]*\}|\w+) from '[^']*'\n|^import '[^']*'\n/gm

/** The significant lines of a file. */
const linesOf = (file: string): string[] =>
  readFileSync(file, 'utf8')
    .replaceAll(statementOfImports, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => /\w/.test(line) && !comment.test(line) && !opening.test(line))

const sqlite = new Set(globSync('packages/core/src/store/sqlite/**/*.ts').flatMap(linesOf))
const files = globSync('packages/postgres/src/**/*.ts').filter((file) => !file.includes('/migrations/'))
const found = files.toSorted().map((file) => {
  const lines = linesOf(file)
  return { file, lines: lines.length, twins: lines.filter((line) => sqlite.has(line)).length }
})
const sum = (of: 'lines' | 'twins'): number => found.reduce((total, each) => total + each[of], 0)
const [lines, twins] = [sum('lines'), sum('twins')]
const share = twins / lines

if (process.argv.includes('--json')) console.log(JSON.stringify({ lines, twins, share, files: found }))
else {
  for (const each of found.filter((one) => one.twins > 0).toSorted((a, b) => b.twins - a.twins))
    console.log(`${String(each.twins).padStart(5)} of ${String(each.lines).padEnd(4)} ${each.file}`)
  console.log(
    `${twins} of ${lines} lines of PostgreSQL stand in SQLite's: ${(100 * share).toFixed(1)} % (at most ${100 * most} %)`,
  )
}
if (share > most) process.exitCode = 1
