import { globSync, readFileSync } from 'node:fs'

/**
 * What the project may weigh: lines of source by room, and public names. Above a limit it exits with 1; a limit is raised
 * only in a commit that says why.
 */

const source = '*.{ts,mts,mjs,cts,js,tsx,astro,css}'

const linesOf = (patterns: readonly string[]): number =>
  patterns
    .flatMap((pattern) =>
      globSync(`${pattern}/**/${source}`, {
        exclude: ['**/node_modules/**', '**/dist/**', 'site/engine/*/**', 'packages/client/src/api.ts'],
      }),
    )
    .reduce((total, file) => total + readFileSync(file, 'utf8').split('\n').length - 1, 0)

/** Public names of an entry, as docs/reference/exports.md lists them. */
function namesOf(entry: string): number {
  const [, list = ''] = readFileSync('docs/reference/exports.md', 'utf8').split(`\n## ${entry}\n`)
  return list.split('\n## ')[0]?.match(/^- /gmu)?.length ?? 0
}

const engines = ['packages/core/src', 'packages/postgres/src', 'packages/exchange/src']
const others = ['accounts', 'cli', 'client', 'fastify', 'photos', 'server', 'telling', 'tlog'].map(
  (name) => `packages/${name}/src`,
)
const scripts = linesOf(['scripts']) - linesOf(['scripts/test'])
const tests = linesOf(['packages/*/test', 'site/test', 'scripts/test', 'packages/testing'])

const budgets: readonly (readonly [what: string, is: number, most: number])[] = [
  ['lines of core, postgres and exchange', linesOf(engines), 50_160],
  ['lines of all packages', linesOf([...engines, ...others]), 74_000],
  ['lines of scripts', scripts, 8_880],
  ['lines of tests and their helpers', tests, 56_000],
  ['lines of the site, without texts', linesOf(['site/{src,engine,base}']), 36_480],
  ['names of @openfountain/core', namesOf('@openfountain/core'), 70],
]

for (const [what, is, most] of budgets)
  console.log(`${String(is).padStart(6)} of ${String(most).padEnd(6)} ${what}`)
if (budgets.some(([, is, most]) => is > most)) process.exitCode = 1
