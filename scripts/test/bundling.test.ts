/** @module-tag install */
import { cp, mkdtemp, readFile, rename, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { blocksOf } from '../packages/blocks.ts'
import { run, succeed } from '../packages/command.ts'
import { install, plainEnvironment, type Consumer } from '../packages/consumer.ts'
import { root } from '../packages/folders.ts'

// Most tests here wait for other programs, however long those take.
vi.setConfig({ testTimeout: 900_000, hookTimeout: 900_000 })

/** What somebody bundles: it prints what the API responds, and ends. */
const program = `
import { openRegistry, token } from '@openfountain/core'
import { createApp } from '@openfountain/server'

const registry = await openRegistry({ database: 'fountains.db' })
const app = createApp(registry)
if ((await registry.statistics()).totalWaypoints === 0)
  await registry.waypoints.create({ name: 'Well', latitude: 55.7, longitude: 13.2 }, token())
for (const [path, accept] of [
  ['', '*/*'],
  ['/waypoints', '*/*'],
  ['/waypoints', 'application/geo+json'],
  ['/waypoints/1', '*/*'],
  ['/openapi', '*/*'],
  ['/docs', '*/*'],
  ['/docs/swagger-ui.css', '*/*'],
]) {
  const response = await app.fetch(new Request('http://localhost/api' + path, { headers: { accept } }))
  const text = await response.text()
  console.log(response.status, path, text.includes('Well'), /"version":"([0-9.]+)"/u.exec(text)?.[1])
}
await registry.close()
process.exit()
`

let folder: string
let consumer: Consumer
let out: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'openfountain-bundling-'))
  const own = inject('tarballs').filter(({ name }) =>
    ['@openfountain/core', '@openfountain/server'].includes(name),
  )
  consumer = await install(join(folder, 'host'), [...own.map(({ file }) => file), 'esbuild@0.28.2'])
  const blocks = blocksOf(await readFile(join(root, 'docs/guides/embedding.md'), 'utf8'))
  const build = blocks.find(({ words }) => words[0] === 'build.mjs')
  await consumer.write('build.mjs', build?.code ?? '')
  await consumer.write('app.mjs', program)
  await consumer.run('build.mjs')
  // Elsewhere, where nothing but the native module is found.
  out = join(folder, 'elsewhere/out')
  await cp(join(consumer.folder, 'out'), out, { recursive: true })
  await succeed('mkdir', [join(folder, 'elsewhere/node_modules')])
  await symlink(
    join(consumer.folder, 'node_modules/better-sqlite3'),
    join(folder, 'elsewhere/node_modules/better-sqlite3'),
  )
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const start = () => run(process.execPath, [join(out, 'app.js')], { cwd: folder, env: plainEnvironment })

test('a bundle of the server responds as the package does: lists, formats, reference and version', async () => {
  const { version } = JSON.parse(await readFile(join(root, 'packages/server/package.json'), 'utf8')) as {
    version: string
  }
  expect(await start()).toEqual({
    code: 0,
    stderr: '',
    stdout: [
      `200  false ${version}`,
      '200 /waypoints true undefined',
      '200 /waypoints true undefined',
      '200 /waypoints/1 true undefined',
      `200 /openapi false ${version}`,
      '200 /docs false undefined',
      '200 /docs/swagger-ui.css false undefined',
      '',
    ].join('\n'),
  })
})

test('a bundle that lacks the file of the thread says so when it starts', async () => {
  await rename(join(out, 'list-worker.js'), join(out, 'moved.js'))
  const { code, stderr } = await start()
  expect(code).toBe(1)
  expect(stderr).toContain('list-worker.js is missing: a bundle needs it beside its own file')
})
