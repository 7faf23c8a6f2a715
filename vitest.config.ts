import { fileURLToPath } from 'node:url'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'

/** Workspace packages are tested from their sources, never from a build. */
const conditions = ['openfountain-source']

const packed = fileURLToPath(new URL('scripts/packed.ts', import.meta.url))
const programs = fileURLToPath(new URL('scripts/programs.ts', import.meta.url))
const cluster = fileURLToPath(new URL('packages/postgres/test/cluster-setup.ts', import.meta.url))

interface Options {
  /** Limit for a test and for a hook, in milliseconds. Default half a minute and a minute. */
  readonly timeout?: number
  /** Whether tests compare with programs of others, or use a browser. */
  readonly programs?: boolean
  /** Whether tests have databases of PostgreSQL. */
  readonly postgres?: boolean
  /** Whether tests install the packages as they are published. */
  readonly installs?: boolean
  /**
   * How often a test that failed is run again. A browser on a busy machine may be slower than the next step of a test
   * expects; a defect fails again. Default 0.
   */
  readonly retry?: number
  /** Whether files of one worker share the modules that they import, which spares each the second of importing them. */
  readonly sharesModules?: boolean
  readonly include?: string
  readonly exclude?: string
}

function project(name: string, root: string, options: Options = {}): TestProjectInlineConfiguration {
  const {
    timeout,
    programs: compares = false,
    postgres = false,
    installs = false,
    retry = 0,
    sharesModules = false,
    include = 'test/**/*.test.ts',
    exclude,
  } = options
  return {
    ssr: { resolve: { conditions } },
    test: {
      name,
      root,
      globalSetup: [
        ...(compares || postgres ? [programs] : []),
        ...(postgres ? [cluster] : []),
        ...(installs ? [packed] : []),
      ],
      // Nothing that is tested there keeps anything in its modules.
      isolate: !sharesModules,
      include: [include],
      exclude: exclude === undefined ? [] : [exclude],
      retry,
      testTimeout: timeout ?? 30_000,
      hookTimeout: timeout ?? 60_000,
      // What is waited for comes when it comes; the usual second follows the processor.
      expect: { poll: { timeout: 60_000 } },
    },
  }
}

/** Tests of the registry that do not ask where it is. */
const anyEngine =
  'test/{accounts,bounds,duplicates,following,host-tables,imports,log,moderation,newcomers,observations,options,places,properties,requests,search,users,waypoint-places,waypoints,xp}.test.ts'

/** Tests of the server that ask the registry, instead of the parts in front of it. */
const anyServer =
  'test/{access,account-attacks,changes,concurrency,conditions,fuzz,idempotency,limits,lists,moderation,properties,security-log,signed-in-as,signing-in,specification,specification-*}.test.ts'

/** Tests of imports, mirrors and exports that do not ask where the registry is, and those that compare engines. */
const anyExchange =
  'test/{engines,import/{identity,interruption,redactions,reasons,repeats},mirror/mirror,export/{daily,random-blocks,random-tiles,registry-export}}.test.ts'

/** Tests of ways to sign in that are kept in the registry. */
const anyAccounts = 'test/{codes,http,passkeys-http,two-processes}.test.ts'

const installing = 'test/{bundling,installing,next,packages}.test.ts'

export default defineConfig({
  test: {
    // More than two cores have work for: a third of the time is spent waiting for a disk, a database or a browser.
    maxWorkers: 5,
    globalSetup: [fileURLToPath(new URL('scripts/temporary.ts', import.meta.url))],
    projects: [
      project('core', 'packages/core', { timeout: 120_000, sharesModules: true }),
      project('core on PostgreSQL', 'packages/core', {
        timeout: 300_000,
        postgres: true,
        sharesModules: true,
        include: anyEngine,
      }),
      project('server on PostgreSQL', 'packages/server', {
        timeout: 300_000,
        postgres: true,
        sharesModules: true,
        include: anyServer,
      }),
      project('exchange', 'packages/exchange', {
        timeout: 300_000,
        programs: true,
        exclude: 'test/engines.test.ts',
      }),
      project('exchange on PostgreSQL', 'packages/exchange', {
        timeout: 300_000,
        postgres: true,
        include: anyExchange,
      }),
      project('server', 'packages/server', { timeout: 300_000, sharesModules: true }),
      project('fastify', 'packages/fastify', { timeout: 300_000 }),
      project('accounts', 'packages/accounts', { timeout: 300_000, programs: true }),
      project('accounts on PostgreSQL', 'packages/accounts', {
        timeout: 300_000,
        postgres: true,
        include: anyAccounts,
      }),
      project('postgres', 'packages/postgres', { timeout: 300_000, postgres: true }),
      project('cli', 'packages/cli', { timeout: 300_000 }),
      project('site', 'site', { timeout: 300_000, programs: true, retry: 1, sharesModules: true }),
      project('scripts', 'scripts', { timeout: 600_000, programs: true, exclude: installing }),
      project('packages', 'scripts', {
        timeout: 600_000,
        programs: true,
        installs: true,
        include: installing,
      }),
    ],
  },
})
