import { glob, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { succeed } from '../packages/command.ts'
import { plainEnvironment } from '../packages/consumer.ts'
import { root } from '../packages/folders.ts'
import { Manifest, packAll } from '../packages/tarball.ts'

// Most tests here wait for other programs, however long those take.
vi.setConfig({ testTimeout: 900_000, hookTimeout: 900_000 })

const text = await readFile(join(root, 'docs/installing.md'), 'utf8')
const commands = [...text.matchAll(/^ {4}(\S.*)$/gmu)].map(([, command = '']) => command)
const installs = commands.filter((command) => command.includes('npm install'))

let folder: string
let tarballs: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'openfountain-installing-'))
  tarballs = dirname(inject('tarballs')[0]?.file ?? '')
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
  const prefix = join(folder, 'global')
  await mkdir(prefix)
  const script = line
    .replace('sudo npm install', `npm install --prefix '${prefix}' --no-audit --no-fund --prefer-offline`)
    .replace('tarballs/', `${tarballs}/`)
  await succeed('bash', ['-c', script], { cwd: folder, env: plainEnvironment })
  const version = await succeed(join(prefix, 'bin/openfountain'), ['--version'], {
    cwd: folder,
    env: plainEnvironment,
  })
  expect(version).toMatch(/^\d+\.\d+\.\d+\n$/u)
})

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
