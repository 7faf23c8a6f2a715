/** @module-tag install */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { newFolder } from '@openfountain/testing/folder'
import { blocksOf } from '../packages/blocks.ts'
import { run, succeed, type Ended } from '../packages/command.ts'
import { install, openfountain, plainEnvironment, type Consumer } from '../packages/consumer.ts'
import { contentFindings } from '../packages/contents.ts'
import { packageFolders, root } from '../packages/folders.ts'
import { installedSize, type InstalledSize } from '../packages/size.ts'
import { publintFindings, typeFindings, type Tarball } from '../packages/tarball.ts'

const tarballs = inject('tarballs')
const folder = newFolder()

const tarballOf = (packageFolder: string): Tarball => {
  const found = tarballs.find((one) => one.folder === packageFolder)
  if (found === undefined) throw new Error(`${packageFolder} was not packed`)
  return found
}
const filesOf = (...names: string[]): string[] => names.map((name) => tarballOf(`packages/${name}`).file)

test.each(packageFolders)(
  'the package in %s holds what it needs to run and nothing else, is well described, with types for every ES module consumer, and the licence',
  async (packageFolder) => {
    const tarball = tarballOf(packageFolder)
    expect(await contentFindings(tarball, tarballs)).toEqual([])
    expect(await publintFindings(tarball)).toEqual([])
    expect(await typeFindings(tarball)).toBe('')
    const own = await readFile(join(root, packageFolder, 'LICENSE'), 'utf8')
    expect(own).toBe(await readFile(join(root, 'LICENSE'), 'utf8'))
  },
)

async function useReadmes(consumer: Consumer, names: readonly string[], types: readonly string[]) {
  const files: string[] = []
  for (const name of names) {
    const readme = await readFile(join(consumer.folder, 'node_modules', name, 'README.md'), 'utf8')
    for (const { language, code, line } of blocksOf(readme)) {
      if (language !== 'ts') continue
      const file = `${name.replace(/.*\//u, '')}-${line}.ts`
      await consumer.write(file, code)
      files.push(file)
    }
  }
  expect(await consumer.findings(files, types)).toEqual([])
  const written: string[] = []
  for (const file of files) written.push(await consumer.run(file))
  return written
}

async function written(consumer: Consumer, file: string, program: string): Promise<string> {
  await consumer.write(file, program)
  return consumer.run(file)
}

describe('core alone in an empty folder', () => {
  let consumer: Consumer
  beforeAll(async () => {
    consumer = await install(join(folder, 'core'), filesOf('core', 'tlog'))
  })

  test('takes at most 42 MB of a disk without source maps, and brings neither server nor site nor anything of the web', async () => {
    const { total, maps, largest } = await installedSize(consumer.folder)
    expect(total - maps, largest.join('\n')).toBeLessThanOrEqual(42)
    expect(maps).toBeLessThanOrEqual(3.5)
    const installed = [
      '@openfountain/core',
      '@openfountain/tlog',
      'better-sqlite3',
      'kysely',
      'node-addon-api',
      'zod',
    ]
    expect(await consumer.installed()).toEqual(installed)
  })

  test('opens a registry in three lines, with types that need nothing else, and gives rules and vocabulary without one', async () => {
    const [three, more] = await useReadmes(consumer, ['@openfountain/core'], [])
    expect(three).toContain('totalWaypoints: 0')
    expect(more).toContain('1 waypoint created')
    const program = `import { defaultRules } from '@openfountain/core/rules'
import { vocabulary } from '@openfountain/core/vocabulary'
console.log(defaultRules.xp.createWaypoint, Object.keys(vocabulary).length > 10)`
    expect(await written(consumer, 'rules.ts', program)).toBe('50 true\n')
    expect(await consumer.findings(['rules.ts'])).toEqual([])
  })
})

test('the plugin takes the Fastify of a host, and does what its introduction shows, with types that fit', async () => {
  const packages = [...filesOf('core', 'tlog', 'server', 'fastify'), 'fastify@5.12.8', '@types/node@24.10.1']
  const consumer = await install(join(folder, 'fastify'), packages)
  const [said = ''] = await useReadmes(consumer, ['@openfountain/fastify'], ['node'])
  expect(said).toContain('totalWaypoints: 0')
  const options = { cwd: consumer.folder, env: plainEnvironment }
  expect(await succeed('npm', ['ls', 'fastify', '--json'], options)).toMatch(/"version": "5\.\d+\.\d+"/u)
  expect(existsSync(join(consumer.folder, 'node_modules/@openfountain/fastify/node_modules'))).toBe(false)
})

describe('all packages in an empty folder', () => {
  let consumer: Consumer
  let size: InstalledSize
  let withoutEngine: { readonly installed: readonly string[]; readonly opened: Ended }
  const open = (): Promise<Ended> =>
    run('npx', ['openfountain', 'log', 'verify', '--db', 'postgres://ada@127.0.0.1:1/fountains'], {
      cwd: consumer.folder,
      env: plainEnvironment,
    })
  beforeAll(async () => {
    const engine = tarballOf('packages/postgres')
    // The plugin for Fastify depends on fastify: its users have it.
    const usual = tarballs.filter((each) => each !== engine && each !== tarballOf('packages/fastify'))
    const files = usual.map(({ file }) => file)
    consumer = await install(join(folder, 'all'), files)
    withoutEngine = { installed: await consumer.installed(), opened: await open() }
    await consumer.add([engine.file])
    size = await installedSize(consumer.folder)
    await consumer.add(['@types/node@24.10.1', 'typescript-5@npm:typescript@5.9.3'])
  })

  test('take at most 455 MB of a disk, and bring no package that only develops them or reports home', async () => {
    // The largest part, 180 MB, is the Node that the command brings for machines with an old one.
    expect(size.total, size.largest.join('\n')).toBeLessThanOrEqual(455)
    const tools =
      'vitest typescript typescript-native oxlint oxfmt typedoc publint lighthouse playwright-core express fastify hono fast-check'
    const installed = await consumer.installed()
    expect([...tools.split(' '), '@scarf/scarf'].filter((name) => installed.includes(name))).toEqual([])
  })

  test('bring no driver of a database server until its engine is added, and say how that is done', async () => {
    const { installed, opened } = withoutEngine
    const ofServers = (names: readonly string[]) => names.filter((name) => /postgres|^pg(?:-|$)/u.test(name))
    expect(installed).toContain('@openfountain/server')
    expect(ofServers(installed)).toEqual([])
    expect(opened.stderr).toContain('as docs/installing.md says')
    expect(opened.code).not.toBe(0)
    expect(ofServers(await consumer.installed())).toContain('@openfountain/postgres')
    expect((await open()).code).toBe(19)
  })

  test('do what their introductions show', async () => {
    const names = ['exchange', 'server', 'accounts', 'site'].map((name) => `@openfountain/${name}`)
    const [exchange, server, accounts, providers, site, ...more] = await useReadmes(consumer, names, ['node'])
    expect(exchange).toMatch(/^exports \d+\n$/u)
    expect(server).toContain('totalWaypoints: 0')
    expect(accounts).toContain("methods: [ 'passkey', 'link' ]")
    expect(providers).toContain('https://id.city.example')
    expect(site).toMatch(/\/public \d+\n$/u)
    expect(more).toEqual([])
  })

  test.each(['typescript-5', undefined])(
    'have types without an error, those of their dependencies included (compiler: %s)',
    async (compiler) => {
      await consumer.write(
        'typed.ts',
        `import { openRegistry, RegistryError, token, type WaypointInput } from '@openfountain/core'
import { exportRegistry } from '@openfountain/exchange'
import { createAccounts } from '@openfountain/accounts'
import { createApp, type App } from '@openfountain/server'
await using registry = await openRegistry({ database: ':memory:', name: undefined })
const app: App = createApp(registry, { publicUrl: undefined })
const input: WaypointInput = { name: 'Well', latitude: 55.7, longitude: 13.19, region: undefined }
await registry.waypoints.create(input, token()).catch((error: unknown) => {
  if (error instanceof RegistryError && error.code === 'INVALID_INPUT') error.details.issues.map(({ path }) => path)
})
// @ts-expect-error a member that there is not
await registry.waypoints.create({ ...input, nmae: 'Well' } satisfies WaypointInput, token())
export const used = [app, exportRegistry, createAccounts]`,
      )
      const options = compiler === undefined ? { strictly: true } : { compiler, strictly: true }
      expect(await consumer.findings(['typed.ts'], ['node'], options)).toEqual([])
    },
  )

  test('read Parquet and GeoPackage in a process of their own, outlive a damaged file, and serve the interactive reference from files of their own', async () => {
    const program = `import { truncateSync, writeFileSync } from 'node:fs'
import { openRegistry } from '@openfountain/core'
import { exportRegistry, importFile } from '@openfountain/exchange'
import { createApp } from '@openfountain/server'
const source = { name: 'City', license: 'CC0-1.0' }
writeFileSync('harbour.csv', 'name,lat,lon\\nHarbour,55.6,13\\n')
const made = await openRegistry({ database: ':memory:' })
await importFile(made, { file: 'harbour.csv', source })
await exportRegistry(made, { out: 'formats' })
for (const name of ['waypoints.parquet', 'waypoints.gpkg']) {
  const registry = await openRegistry({ database: ':memory:' })
  const file = 'formats/' + name
  console.log((await importFile(registry, { file, source })).counts.created)
  truncateSync(file, 2000)
  await importFile(registry, { file, source }).catch((error) => console.log(error.name))
  await registry.close()
}
const app = createApp(made)
for (const path of ['docs', 'docs/swagger-ui.css', 'docs/swagger-ui-bundle.js'])
  console.log((await app.fetch(new Request('http://localhost/api/' + path))).status)
await made.close()`
    const said = '1\nImportRefused\n1\nImportRefused\n200\n200\n200\n'
    expect(await written(consumer, 'formats.ts', program)).toBe(said)
  })

  // Packages are downloaded.
  vi.setConfig({ hookTimeout: 300_000 })

  test('openfountain has its ready maps', async () => {
    await consumer.write('nothing.csv', 'a,b\n')
    const unknown = ['import', 'nothing.csv', '--map', 'unknown']
    expect((await openfountain(consumer, process.execPath, unknown)).stderr).toContain('zurich')
  })
})
