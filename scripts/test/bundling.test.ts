/** @module-tag install */
import { cp, mkdir, readFile, rename, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { newFolder } from '@openfountain/testing/folder'
import { blocksOf } from '../packages/blocks.ts'
import { run } from '../packages/command.ts'
import { install, plainEnvironment } from '../packages/consumer.ts'
import { root } from '../packages/folders.ts'

/** The bundled program: it prints the API's response, and ends. */
const program = `
import { openRegistry, token } from '@openfountain/core'
import { createApp } from '@openfountain/server'

const registry = await openRegistry({ database: 'fountains.db' })
const app = createApp(registry)
if ((await registry.statistics()).totalWaypoints === 0)
  await registry.waypoints.create({ name: 'Well', latitude: 55.7, longitude: 13.2 }, token())
for (const asked of ['', '/waypoints', '/waypoints application/geo+json', '/waypoints/1', '/openapi', '/docs', '/docs/swagger-ui.css']) {
  const [path, accept = '*/*'] = asked.split(' ')
  const response = await app.fetch(new Request('http://localhost/api' + path, { headers: { accept } }))
  const text = await response.text()
  console.log(response.status, path, text.includes('Well'), /"version":"([0-9.]+)"/u.exec(text)?.[1])
}
await registry.close()
process.exit()
`

test('a bundle of the server responds as the package does, or says which file it lacks when it starts', async () => {
  const folder = newFolder()
  const names = new Set(['@openfountain/core', '@openfountain/server', '@openfountain/tlog'])
  const own = inject('tarballs').flatMap(({ name, file }) => (names.has(name) ? [file] : []))
  const consumer = await install(join(folder, 'host'), [...own, 'esbuild@0.28.2'])
  const blocks = blocksOf(await readFile(join(root, 'docs/guides/embedding.md'), 'utf8'))
  await consumer.write('build.mjs', blocks.find(({ words }) => words[0] === 'build.mjs')?.code ?? '')
  await consumer.write('app.mjs', program)
  await consumer.run('build.mjs')
  // Elsewhere, where nothing but the native module is found.
  const [out, modules] = [join(folder, 'elsewhere/out'), join(folder, 'elsewhere/node_modules')]
  await cp(join(consumer.folder, 'out'), out, { recursive: true })
  await mkdir(modules)
  await symlink(join(consumer.folder, 'node_modules/better-sqlite3'), join(modules, 'better-sqlite3'))
  const start = () => run(process.execPath, [join(out, 'app.js')], { cwd: folder, env: plainEnvironment })
  const manifest = await readFile(join(root, 'packages/server/package.json'), 'utf8')
  const { version } = JSON.parse(manifest) as { version: string }
  expect(await start()).toEqual({
    code: 0,
    stderr: '',
    stdout: `200  false ${version}
200 /waypoints true undefined
200 /waypoints true undefined
200 /waypoints/1 true undefined
200 /openapi false ${version}
200 /docs false undefined
200 /docs/swagger-ui.css false undefined
`,
  })
  await rename(join(out, 'list-worker.js'), join(out, 'moved.js'))
  const { code, stderr } = await start()
  expect(code).toBe(1)
  expect(stderr).toContain('list-worker.js is missing: a bundle needs it beside its own file')
})
