import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { glob, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { createAccounts } from '@openfountain/accounts'
import { openRegistry, RegistryError, type Registry } from '@openfountain/core'
import { openPhotos, photosBeside } from '@openfountain/photos'
import { exportRegistry } from '@openfountain/exchange'
import { createApp } from '@openfountain/server'
import { buildSite } from '@openfountain/site'
import { Deliveries, registryKey, Sender } from '@openfountain/telling'
import { siteFolder } from '../packages/cli/src/commands/serve.ts'
import { describeFailure } from '../packages/cli/src/failure-report.ts'
import { CommandError } from '../packages/cli/src/failure.ts'
import { waypointFormats } from '../packages/cli/src/waypoint-formats.ts'
import { listenWith, type RunningServer } from '../packages/cli/src/listener.ts'
import { progressOn, type Progress } from '../packages/cli/src/output.ts'
import { signInLink } from '../packages/cli/src/public-url.ts'
import { untilSignal } from '../packages/cli/src/signals.ts'
import { endWithNpm } from './npm-process.ts'
import { makeSample, sampleSettings, sampleStreets } from './sample.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The folder of everything that a start creates; OPENFOUNTAIN_HOME changes it. */
const home = path.resolve(process.env['OPENFOUNTAIN_HOME'] ?? path.join(root, '.openfountain'))
const database = path.join(home, 'openfountain.db')
const exportsFolder = path.join(home, 'exports')
const siteOut = path.join(home, 'site')
const firstPort = 3000
const portsTried = 100

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** Does a step with a progress bar on a terminal, and prints how long it took. */
async function step<Result>(label: string, work: (bar: Progress) => Promise<Result>): Promise<Result> {
  const began = performance.now()
  const bar = progressOn(process.stderr, label)
  try {
    return await work(bar)
  } finally {
    bar.end()
    print(`${label}: ${((performance.now() - began) / 1000).toFixed(1)} s`)
  }
}

/** A hash that changes with any of the files' paths, sizes or times. */
async function stampOf(patterns: readonly string[]): Promise<string> {
  const lines: string[] = []
  for await (const file of glob([...patterns], { cwd: root })) {
    const found = await stat(path.join(root, file))
    if (found.isFile()) lines.push(`${file} ${found.size} ${found.mtimeMs}`)
  }
  return createHash('sha256').update(lines.toSorted().join('\n')).digest('hex')
}

/** Runs work that fills a folder, unless it was already run for the same inputs. */
async function unlessDone(folder: string, cause: string, work: () => Promise<void>): Promise<void> {
  const mark = `${folder}.made-from`
  const known = await readFile(mark, 'utf8').catch(() => '')
  if (known === cause && existsSync(folder)) return
  await work()
  await writeFile(mark, cause)
}

async function exported(registry: Registry): Promise<void> {
  const sources = await stampOf(['packages/core/src/**/*.ts', 'packages/exchange/src/**/*.ts'])
  await unlessDone(exportsFolder, `${await registry.revision()} ${sources}`, () =>
    step('Exporting the registry', async (bar) => {
      await exportRegistry(registry, {
        out: exportsFolder,
        fictional: true,
        photos: 10,
        onProgress: ({ file, done, files }) => bar.at(done, files, file),
      })
    }),
  )
}

async function built(): Promise<void> {
  const sums = await readFile(path.join(exportsFolder, 'SHA256SUMS'), 'utf8')
  const sources = await stampOf([
    'site/src/**/*',
    'site/{base,engine,places,public}/**/*',
    'data/monaco.pmtiles',
    'site/package.json',
    'packages/core/src/**/*.ts',
  ])
  const cause = createHash('sha256').update(`${sums}\n${sources}`).digest('hex')
  await unlessDone(siteOut, cause, () =>
    step('Building the site', async (bar) => {
      await buildSite({
        data: exportsFolder,
        out: siteOut,
        api: '/api',
        registration: 'invite',
        basemap: sampleStreets,
        onProgress: ({ step: what, done, total }) => bar.at(done, total, `Building the site: ${what}`),
      })
    }),
  )
}

/** The address for browsers. Passkeys need a host name, so that 127.0.0.1 does not work. */
const addressAt = (port: number): string => `http://localhost:${port}`

/** PORT, as far as it is set. */
function wantedPort(): number | undefined {
  const given = process.env['PORT'] ?? ''
  if (given === '') return undefined
  if (/^\d{1,5}$/u.test(given) && Number(given) <= 65_535) return Number(given)
  throw new CommandError(
    'usage',
    `PORT must be a whole number from 0 to 65535, not ${JSON.stringify(given)}; 0 takes a free port`,
  )
}

/** Listens at the port that is wanted, or at the first free one from 3000 on. */
async function listening(
  app: Parameters<typeof listenWith>[0],
  wanted: number | undefined,
): Promise<RunningServer> {
  if (wanted !== undefined) return listenWith(app, { port: wanted, host: '127.0.0.1' })
  for (let port = firstPort; ; port++) {
    try {
      return await listenWith(app, { port, host: '127.0.0.1' })
    } catch (error) {
      const isTaken = error instanceof CommandError && error.code === 'PORT_TAKEN'
      if (!isTaken || port === firstPort + portsTried) throw error
    }
  }
}

/** A moderator of the sample. */
const sampleModerator = 'ada'

/** Links with which the whole product can be seen; each start makes new ones. */
async function signInLines(registry: Registry, site: string): Promise<string[]> {
  const address = { 'public-url': site }
  const invitation = await registry.accounts.invite({})
  const moderator = await registry.accounts.link(sampleModerator).catch((error: unknown) => {
    // They can have been erased.
    if (error instanceof RegistryError && error.code === 'NOT_FOUND') return undefined
    throw error
  })
  return [
    '  Sign in, once, within 24 hours:',
    ...(moderator === undefined ? [] : [`  as a moderator   ${signInLink(address, moderator.secret)}`]),
    `  as a newcomer    ${signInLink(address, invitation.secret)}`,
  ]
}

async function start(): Promise<void> {
  const wanted = wantedPort()
  await mkdir(home, { recursive: true })
  if (!existsSync(database)) {
    await step('Making the sample registry', (bar) =>
      makeSample(database, {
        today: new Date(),
        onProgress: (done, total) => bar.at(done, total),
      }),
    )
  }
  const photos = openPhotos(photosBeside(database))
  const registry = await openRegistry({ ...sampleSettings, database, create: false, photos })
  try {
    await exported(registry)
    await built()
    const servedSite = await siteFolder(siteOut, undefined)
    const end = untilSignal()
    const sender = new Sender({ key: () => registryKey(database, process.env) })
    const server = await listening(
      (port) =>
        createApp(registry, {
          site: servedSite,
          exports: exportsFolder,
          formats: waypointFormats,
          webhooks: sender,
          accounts: createAccounts(registry, { publicUrl: addressAt(port), name: sampleSettings.name }),
        }),
      wanted,
    )
    const deliveries = new Deliveries(registry, sender)
    deliveries.start()
    const statistics = await registry.statistics()
    const site = addressAt(server.port)
    print(
      [
        '',
        `  The map          ${site}/`,
        `  API reference    ${site}/api/docs`,
        `  Downloads        ${site}/api/exports`,
        '',
        ...(await signInLines(registry, site)),
        '',
        `  ${statistics.totalWaypoints} fountains, all fictional, in ${path.relative(process.cwd(), database)}`,
        '  Everything you add stays there; the next start puts it on the map. Ctrl-C ends.',
        '',
      ].join('\n'),
    )
    await end
    await deliveries.stop()
    await server.close()
  } finally {
    photos.close()
    await registry.close()
  }
}

endWithNpm('scripts/start.ts')
try {
  await start()
} catch (error) {
  process.stderr.write(`openfountain: ${describeFailure(error).message}\n`)
  process.exitCode = 1
}
