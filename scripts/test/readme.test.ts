/** @module-tag process */
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { newFolder } from '@openfountain/testing/folder'
import { openRegistry, type Registry } from '@openfountain/core'
import { loaded } from '../../packages/cli/src/command.ts'
import { commands } from '../../packages/cli/src/commands/all.ts'
import { ended } from '@openfountain/testing/command/shell'
import { afterwards } from '@openfountain/testing/afterwards'
import { blocksOf } from '../packages/blocks.ts'
import { root } from '../packages/folders.ts'
import { started } from './started.ts'

const text = await readFile(path.join(root, 'README.md'), 'utf8')
const blocks = blocksOf(text)

function codeOf(word: string): string {
  const found = blocks.filter(({ words }) => words[0] === word)
  if (found.length === 0) throw new Error(`README.md has no block ${word}`)
  return found.map(({ code }) => code).join('\n')
}

function bash(code: string, cwd: string): ChildProcess {
  // Outside of the repository npx would look for the command in the registry of packages.
  const script = `npx() { command "$@"; }\n${code}`
  const bin = path.join(root, 'node_modules/.bin')
  const env = { ...process.env, PATH: `${bin}:${process.env['PATH'] ?? ''}` }
  return spawn('bash', ['-euo', 'pipefail', '-c', script], { cwd, env })
}

async function runs(code: string, cwd: string): Promise<string> {
  const { code: exit, stdout, stderr } = await ended(bash(code, cwd))
  if (exit !== 0) throw new Error(`exits with ${exit}: ${stderr}\n${stdout}`)
  return stdout
}

const home = newFolder

async function registryIn(cwd: string): Promise<Registry> {
  const registry = await openRegistry({ database: path.join(cwd, 'openfountain.db'), create: false })
  afterwards(() => registry.close())
  return registry
}

test('README.md: five minutes with curl work as they are written, on the sample registry', async () => {
  const cwd = home()
  const { url, stop } = await started(path.join(cwd, '.openfountain'))
  afterwards(stop)
  const output = await runs(codeOf('five-minutes').replaceAll('http://localhost:3000', url), cwd)
  for (const part of [
    '"name":"Market square"',
    '"description":"Beside the clock"',
    '"comment":"Cold and quick"',
    '"leaderboard":[',
    '"action":"verified"',
    'The log verifies',
  ])
    expect(output).toContain(part)
  expect((await fetch(`${url}/api/docs`)).status).toBe(200)
})

test('README.md: the ten lines of embedding run', async () => {
  const folder = path.join(root, 'node_modules/.cache/readme')
  await rm(folder, { recursive: true, force: true })
  afterwards(() => rm(folder, { recursive: true, force: true }))
  await mkdir(folder, { recursive: true })
  await writeFile(path.join(folder, 'embed.mjs'), codeOf('embed'))
  const output = await runs('node --conditions=openfountain-source embed.mjs', folder)
  expect(output).toMatch(/1 created[^]*ok: true/u)
})

test('README.md: import, publish and verify work as they are written', async () => {
  const cwd = home()
  const geometry = { type: 'Point', coordinates: [13.1929, 55.7029] }
  const feature = { type: 'Feature', id: 'm1', properties: { name: 'Market square' }, geometry }
  await writeFile(path.join(cwd, 'fountains.geojson'), JSON.stringify(feature))
  await runs(codeOf('import'), cwd)
  expect(await (await registryIn(cwd)).waypoints.list()).toMatchObject([{ name: 'Market square' }])
  expect(await runs(codeOf('log'), cwd)).toContain('The log verifies')
  const publish = codeOf('publish')
  expect(publish).toMatch(/^npx openfountain serve /mu)
  await runs(publish.replace(/^(npx openfountain serve .*)$/mu, '$1 --help'), cwd)
  expect(await readFile(path.join(cwd, 'site/index.html'), 'utf8')).toContain('<title>')
})

test('README.md: running your own works as it is written', async () => {
  const cwd = home()
  const [invite = '', serve = ''] = codeOf('serve').trim().split('\n')
  const [, secret = ''] = /^http:\/\/localhost:8080\/sign-in\/#(\S+)\n$/u.exec(await runs(invite, cwd)) ?? []
  const { accounts, users } = await registryIn(cwd)
  const { userId } = await accounts.redeemLink(secret)
  expect(await users.profile(userId)).toMatchObject({ name: 'Ada', isModerator: true })
  expect(serve).toMatch(/^npx openfountain serve /u)
  expect(await runs(`${serve} --help`, cwd)).toContain('Usage: openfountain serve')
})

test('README.md: the table of configuration has every environment variable, its option and its default', async () => {
  for (const { options } of await loaded(commands))
    for (const [name, option] of Object.entries(options)) {
      if (option.env === undefined) continue
      const row = text.split('\n').find((line) => line.includes(`\`${option.env}\``)) ?? ''
      expect(row).toContain(`--${name}\``)
      if ('default' in option) expect(row).toContain(`\`${option.default}\``)
    }
})
