/** Runs the tests: `npm test`, `npm run dev` and `npm run test:all` are this program. */
import { spawn } from 'node:child_process'
import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { install } from '@openfountain/testing/programs'
import { basic, isTag, tagNames, tags, type Tag, type TagName } from '@openfountain/testing/tags'

const help = `npm test -- [options] [files]        what every change must pass
npm run dev -- [options]             the tests of what changed, again at each save
npm run test:all -- [options]        every test, one stage a tag

  --tag NAME      only this stage; may be repeated:
${Object.entries(tags)
  .map(([name, { description }]) => `                  ${name.padEnd(9)}${description}`)
  .join('\n')}
  --seed N        what random choices follow from; default 1
  --counts FILE   appends "passed failed" of each stage
Other options and files are vitest's. Files are run whatever their tags.
OPENFOUNTAIN_EFFORT=quick|all|full says how often what is random is tried; npm test: quick, test:all: all.
`

/** One run of vitest, with a limit in minutes. */
interface Stage {
  readonly name: string
  readonly tests: string
  readonly runs: readonly (readonly string[])[]
  readonly minutes?: number
}

interface Counts {
  readonly passed: number
  readonly failed: number
}

const untagged = tagNames.map((tag) => `!${tag}`).join(' && ')

const quick: Stage = { name: 'npm test', tests: 'quick', runs: [['--tags-filter', untagged]] }

/** Tests that any engine passes run on PostgreSQL too: those of `npm test`, without process tests and repetitions. */
function stageOf(name: TagName): Stage {
  const { minutes } = tags[name]
  const tagged = ['--tags-filter', name, '--passWithNoTests']
  const again = ['--tags-filter', untagged, '--project', '*on PostgreSQL']
  return {
    name,
    tests: name,
    runs: name === 'postgres' ? [[...tagged, '--project', '!*on PostgreSQL'], again] : [tagged],
    minutes,
  }
}

const { values, positionals, tokens } = parseArgs({
  args: process.argv.slice(2),
  strict: false,
  allowPositionals: true,
  tokens: true,
  options: {
    all: { type: 'boolean' },
    dev: { type: 'boolean' },
    tag: { type: 'string', multiple: true },
    seed: { type: 'string' },
    counts: { type: 'string' },
    help: { type: 'boolean' },
    // Vitest's options with a value, which would otherwise be taken for a file.
    project: { type: 'string', multiple: true },
    reporter: { type: 'string', multiple: true },
    maxWorkers: { type: 'string' },
    testNamePattern: { type: 'string', short: 't' },
  },
})

const own = new Set(['all', 'dev', 'tag', 'seed', 'counts', 'help'])
const forVitest = tokens.flatMap((token) => {
  if (token.kind === 'positional') return [token.value]
  if (token.kind !== 'option' || own.has(token.name)) return []
  return token.value === undefined ? [token.rawName] : [token.rawName, token.value]
})

const isFull = process.env['OPENFOUNTAIN_EFFORT'] === 'full'

async function countsOf(report: string): Promise<Counts | undefined> {
  try {
    const { numPassedTests, numFailedTests, numFailedTestSuites, success } = JSON.parse(
      await readFile(report, 'utf8'),
    ) as Record<'numPassedTests' | 'numFailedTests' | 'numFailedTestSuites', number> & { success: boolean }
    const failed = success ? 0 : numFailedTests || numFailedTestSuites || 1
    return { passed: numPassedTests, failed }
  } catch {
    return undefined
  }
}

/** Runs vitest to its end or its limit. @returns its status */
async function vitest(args: readonly string[], tests: string, minutes?: number): Promise<number> {
  const child = spawn('vitest', [...args], {
    stdio: 'inherit',
    env: {
      OPENFOUNTAIN_EFFORT: tests === 'quick' ? 'quick' : 'all',
      ...process.env,
      OPENFOUNTAIN_TESTS: tests,
    },
  })
  const timer =
    minutes === undefined
      ? undefined
      : setTimeout(() => {
          console.error(`Not ended within ${minutes} minutes`)
          child.kill('SIGTERM')
        }, minutes * 60_000)
  const status = await new Promise<number>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve(code ?? 1))
  })
  clearTimeout(timer)
  return status
}

async function runStage({ name, tests, runs, minutes }: Stage): Promise<Counts> {
  const folder = await mkdtemp(path.join(tmpdir(), 'openfountain-report-'))
  const began = Date.now()
  const total = { passed: 0, failed: 0 }
  try {
    for (const [index, args] of runs.entries()) {
      const report = path.join(folder, `${index}.json`)
      const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
      const status = await vitest(['run', ...args, ...reporters, ...forVitest], tests, minutes)
      const { passed, failed } = (await countsOf(report)) ?? { passed: 0, failed: 1 }
      total.passed += passed
      total.failed += status === 0 ? failed : Math.max(failed, 1)
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  const seconds = Math.round((Date.now() - began) / 1000)
  console.log(`${name}: ${total.passed} passed, ${total.failed} failed in ${seconds} s`)
  if (typeof values.counts === 'string') await appendFile(values.counts, `${total.passed} ${total.failed}\n`)
  return total
}

async function main(): Promise<number> {
  if (values.help === true) {
    console.log(help)
    return 0
  }
  const seed = typeof values.seed === 'string' ? values.seed : (process.env['OPENFOUNTAIN_SEED'] ?? '1')
  process.env['OPENFOUNTAIN_SEED'] = seed
  const named = values.tag ?? []
  const unknown = named.find((name) => !isTag(name))
  if (unknown !== undefined) {
    console.error(`--tag must be one of ${tagNames.join(', ')}, not ${String(unknown)}`)
    return 2
  }
  const hasFiles = positionals.length > 0
  const filter = hasFiles ? [] : ['--tags-filter', untagged]
  if (values.dev === true)
    return vitest(['watch', '--changed', ...filter, ...forVitest], hasFiles ? 'named' : 'quick')
  console.log(`seed ${seed}`)
  if (hasFiles) return vitest(['run', ...forVitest], 'named')
  const chosen = named.length > 0 ? named.filter(isTag) : values.all === true ? tagNames : []
  const stages = chosen.filter((name) => isFull || name !== 'full').map(stageOf)
  if (named.length === 0) stages.unshift(quick)
  const needed: readonly Tag[] = chosen.map((name) => tags[name])
  await install([
    ...new Set([
      ...(named.length === 0 ? basic : []),
      ...needed.flatMap(({ needs, needsInFull = [] }) => [...needs, ...(isFull ? needsInFull : [])]),
    ]),
  ])
  const all = { passed: 0, failed: 0 }
  for (const stage of stages) {
    const { passed, failed } = await runStage(stage)
    all.passed += passed
    all.failed += failed
    if (failed > 0) break
  }
  console.log(`${all.passed} passed, ${all.failed} failed`)
  return all.failed === 0 ? 0 : 1
}

process.exitCode = await main()
