import { parseArgs } from 'node:util'
import { countsOf, summaryOf, tableOf } from './report.ts'
import { allAttacks, chosen, runAttacks, type RunOptions } from './run.ts'

/** Attacks an instance as an outsider. */

const help = `npm run attack -- [options]

Attacks an instance that it starts at 127.0.0.1, over a registry that it makes in a temporary folder, and says of each attack whether the software held. Ends with status 1 when any did not, 2 for a mistake in the options.

  --full           in full: more of everything, which takes up to ten minutes and 4 GB of memory
  --seed N         what is random follows from this number; default 1
  --waypoints N    waypoints of the instance; default 3000, with --full 50000
  --url URL        attacks an instance that you run, such as http://127.0.0.1:3000, and starts none; nothing is
                   written in it, and attacks that must write are skipped. It may stop responding: use only your own
  --only a,b       only these attacks, or kinds of attacks
  --json           writes one JSON object instead of a table

${[...Map.groupBy(allAttacks, ({ kind }) => kind)]
  .map(
    ([kind, attacks]) =>
      `${kind}: ${attacks.map(({ name, fullOnly }) => (fullOnly === true ? `${name} (with --full)` : name)).join(', ')}`,
  )
  .join('\n')}
`

function refuse(message: string): never {
  process.stderr.write(`${message}; npm run attack -- --help lists the options\n`)
  process.exit(2)
}

function wholeNumber(name: string, given: string, least: number): number {
  const number = Number(given)
  if (!Number.isSafeInteger(number) || number < least)
    refuse(`--${name} must be a whole number from ${least}, not ${JSON.stringify(given)}`)
  return number
}

function addressOf(given: string): URL {
  const url = URL.parse(given)
  if (
    url === null ||
    !['http:', 'https:'].includes(url.protocol) ||
    url.pathname !== '/' ||
    url.search !== ''
  )
    refuse(
      `--url must be the address of an instance, such as http://127.0.0.1:3000, not ${JSON.stringify(given)}`,
    )
  return url
}

function optionsOf(args: readonly string[]): RunOptions & { readonly json: boolean; readonly help: boolean } {
  const { values } = parseArgs({
    args: [...args],
    options: {
      full: { type: 'boolean', default: false },
      seed: { type: 'string', default: '1' },
      waypoints: { type: 'string' },
      url: { type: 'string' },
      only: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  const { full, url, only, json } = values
  return {
    full,
    json,
    help: values.help,
    seed: wholeNumber('seed', values.seed, 0),
    waypoints: wholeNumber('waypoints', values.waypoints ?? (full ? '50000' : '3000'), 1),
    ...(url !== undefined && { url: addressOf(url) }),
    only: only?.split(','),
  }
}

/** Runs the attacks and prints their results. @returns the exit code */
async function attack({ json, ...options }: ReturnType<typeof optionsOf>): Promise<number> {
  const { seed, full, url } = options
  const results = await runAttacks({
    ...options,
    onResult: ({ name, result }) => process.stderr.write(`${result}: ${name}\n`),
  }).catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    return []
  })
  const counts = countsOf(results)
  process.stdout.write(
    json
      ? `${JSON.stringify({ seed, full, url: url?.href, ...counts, attacks: results }, null, 2)}\n`
      : `\n${tableOf(results)}\n\n${summaryOf(counts)}\n`,
  )
  return results.length > 0 && counts.broken === 0 ? 0 : 1
}

let options: ReturnType<typeof optionsOf>
try {
  options = optionsOf(process.argv.slice(2))
  chosen(options)
} catch (error) {
  refuse(error instanceof Error ? error.message : String(error))
}
if (options.help) {
  process.stdout.write(help)
} else {
  // So that the instance is stopped, and the folder removed, in that case too.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
  process.exitCode = await attack(options)
}
