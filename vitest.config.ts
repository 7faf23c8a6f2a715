import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { isTag, tagNames, tags } from './packages/testing/src/tags.ts'

/** Workspace packages are tested from their sources, never from a build. */
const conditions = ['openfountain-source']

const setUp = (name: string): string =>
  fileURLToPath(new URL(`packages/testing/src/${name}.ts`, import.meta.url))

/** What `scripts/test.ts` runs: `quick`, the name of a tag, `named` for files of any tag; everything without it. */
const wanted = process.env['OPENFOUNTAIN_TESTS'] ?? ''

/** Whether the tests that are wanted may stand in a file. Others are not imported. */
function mayHave(file: string): boolean {
  const text = readFileSync(file, 'utf8')
  const ofFile = [...text.slice(0, 500).matchAll(/@module-tag (\w+)/gu)].map(([, tag]) => tag)
  if (wanted === 'quick') return ofFile.length === 0
  return (
    ['', 'named'].includes(wanted) ||
    ofFile.includes(wanted) ||
    new RegExp(`tags: \\[[^\\]]*'${wanted}'`, 'u').test(text) ||
    (wanted === 'long' && /^import .*\brepeated\b/mu.test(text))
  )
}

const without = (root: string): string[] =>
  readdirSync(`${root}/test`, { recursive: true, encoding: 'utf8' })
    .map((file) => `test/${file}`)
    .filter((file) => file.endsWith('.test.ts') && !mayHave(`${root}/${file}`))

interface Options {
  /** Whether tests have databases of PostgreSQL. */
  readonly postgres?: boolean
  /** Whether tests install the packages as they are published. */
  readonly installs?: boolean
  readonly include?: string
  readonly exclude?: string
}

function project(name: string, root: string, options: Options = {}): TestProjectInlineConfiguration {
  const { postgres = false, installs = false, include = 'test/**/*.test.ts', exclude } = options
  const again = name.endsWith('on PostgreSQL')
  return {
    ssr: { resolve: { conditions } },
    test: {
      name,
      root,
      globalSetup: [
        ...(postgres ? [setUp('postgres/cluster-setup')] : []),
        ...(installs ? [fileURLToPath(new URL('scripts/packed.ts', import.meta.url))] : []),
      ],
      include: [include],
      exclude: [...(again ? [] : without(root)), ...(exclude === undefined ? [] : [exclude])],
    },
  }
}

/** Tests of the registry that do not ask where it is. */
const anyEngine =
  'test/{accounts,duplicates,following,harvests,host-tables,imports,keepers,leaderboard,log,many,moderation,newcomers,observations,options,photos,places,properties,removals,requests,search,users,waypoint-places,waypoints,writes,xp}.test.ts'

/** Tests of the server that ask the registry, instead of the parts in front of it. */
const anyServer =
  'test/{access,account-attacks,changes,conditions,feeds,fuzz,idempotency,limits,lists,log-tiles,moderation,properties,security-log,signed-in-as,signing-in,specification,specification-*}.test.ts'

/** Tests of imports, mirrors and exports that do not ask where the registry is, and those that compare engines. */
const anyExchange =
  'test/{engines,import/{doubtful,identity,interruption,redactions,reasons,repeats},mirror/mirror,export/{daily,random-differences,registry-export}}.test.ts'

/** Tests of ways to sign in that are kept in the registry. */
const anyAccounts = 'test/{codes,http}.test.ts'

const installing = 'test/{bundling,deb,installing,next,packages}.test.ts'

/** Other tests on PostgreSQL run only where they are asked for. */
const onPostgres =
  wanted === '' || wanted === 'postgres'
    ? [
        project('core on PostgreSQL', 'packages/core', { postgres: true, include: anyEngine }),
        project('server on PostgreSQL', 'packages/server', { postgres: true, include: anyServer }),
        project('exchange on PostgreSQL', 'packages/exchange', { postgres: true, include: anyExchange }),
        project('telling on PostgreSQL', 'packages/telling', {
          postgres: true,
          include: 'test/{deliveries,digests,follows,push}.test.ts',
        }),
        project('accounts on PostgreSQL', 'packages/accounts', { postgres: true, include: anyAccounts }),
      ]
    : []

export default defineConfig({
  test: {
    // One more than cores have work: some of the time is spent waiting for a disk, a database or a browser.
    maxWorkers: 3,
    // Files of a worker share the modules that they import: importing them anew takes a second a file.
    isolate: false,
    testTimeout: wanted === 'postgres' ? 90_000 : 30_000,
    // Hooks build sites, start servers and install packages.
    hookTimeout: isTag(wanted) ? tags[wanted].seconds * 1000 : wanted === 'quick' ? 60_000 : 120_000,
    expect: { poll: { timeout: 20_000 } },
    tags: tagNames.map((name) => ({
      name,
      description: tags[name].description,
      timeout: tags[name].seconds * 1000,
    })),
    globalSetup: [setUp('temporary')],
    projects: [
      project('tlog', 'packages/tlog'),
      project('client', 'packages/client'),
      project('core', 'packages/core'),
      project('server', 'packages/server'),
      project('exchange', 'packages/exchange', { exclude: 'test/engines.test.ts' }),
      project('accounts', 'packages/accounts'),
      project('photos', 'packages/photos'),
      project('telling', 'packages/telling'),
      project('fastify', 'packages/fastify'),
      project('cli', 'packages/cli'),
      project('postgres', 'packages/postgres', { postgres: true }),
      project('site', 'site'),
      project('scripts', 'scripts', { exclude: installing }),
      project('packages', 'scripts', { installs: true, include: installing }),
      ...onPostgres,
    ],
  },
})
