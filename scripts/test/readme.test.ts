/** @module-tag process */
import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openRegistry } from '@openfountain/core'
import { loaded } from '../../packages/cli/src/command.ts'
import { commands } from '../../packages/cli/src/commands/all.ts'
import { ended } from '@openfountain/testing/command/shell'
import { blocksOf, localLinksOf } from '../packages/blocks.ts'
import { root } from '../packages/folders.ts'
import { started, type Started } from './started.ts'

const text = await readFile(path.join(root, 'README.md'), 'utf8')
const blocks = blocksOf(text)

function codeOf(word: string): string {
  const found = blocks.filter(({ words }) => words[0] === word)
  if (found.length === 0) throw new Error(`README.md has no block ${word}`)
  return found.map(({ code }) => code).join('\n')
}

test.each(['core', 'server', 'exchange', 'accounts', 'postgres', 'cli', 'site'])(
  'the introduction of the package %s names guides that there are',
  async (name) => {
    const folder = path.join(root, name === 'site' ? name : `packages/${name}`)
    const guides = (await readFile(path.join(folder, 'README.md'), 'utf8')).match(/docs\/[\w/-]+\.md/gu) ?? []
    expect(guides).not.toEqual([])
    for (const guide of guides) expect(existsSync(path.join(root, guide)), guide).toBe(true)
  },
)

let home: string
beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'openfountain-readme-'))
})
afterAll(() => rm(home, { recursive: true, force: true }))

function bash(code: string, cwd: string): ChildProcess {
  // Outside of the repository npx would look for the command in the registry of packages.
  const script = `npx() { command "$@"; }\n${code}`
  const bin = path.join(root, 'node_modules/.bin')
  return spawn('bash', ['-euo', 'pipefail', '-c', script], {
    cwd,
    env: { ...process.env, PATH: `${bin}:${process.env['PATH'] ?? ''}` },
  })
}

async function runs(code: string, cwd: string): Promise<string> {
  const { code: exit, stdout, stderr } = await ended(bash(code, cwd))
  if (exit !== 0) throw new Error(`exits with ${exit}: ${stderr}\n${stdout}`)
  return stdout
}

describe('README.md', () => {
  describe('five minutes with curl', () => {
    let server: Started
    beforeAll(async () => {
      server = await started(path.join(home, '.openfountain'))
    })
    afterAll(() => server.stop())

    test('work as they are written, on the sample registry', async () => {
      const output = await runs(codeOf('five-minutes').replaceAll('http://localhost:3000', server.url), home)
      expect(output).toContain('"name":"Market square"')
      expect(output).toContain('"description":"Beside the clock"')
      expect(output).toContain('"comment":"Cold and quick"')
      expect(output).toContain('"leaderboard":[')
      expect(output).toContain('"action":"verified"')
      expect(output).toContain('The log verifies')
      expect((await fetch(`${server.url}/api/docs`)).status).toBe(200)
    })
  })

  test('the ten lines of embedding run', async () => {
    const folder = path.join(root, 'node_modules/.cache/readme')
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { recursive: true })
    await writeFile(path.join(folder, 'embed.mjs'), codeOf('embed'))
    const child = spawn(process.execPath, ['--conditions=openfountain-source', 'embed.mjs'], { cwd: folder })
    const { code, stdout, stderr } = await ended(child)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain('1 created')
    expect(stdout).toContain('ok: true')
    await rm(folder, { recursive: true, force: true })
  })

  test('import, publish and verify work as they are written', async () => {
    const cwd = path.join(home, 'city')
    await mkdir(cwd)
    const feature = {
      type: 'Feature',
      id: 'm1',
      properties: { name: 'Market square' },
      geometry: { type: 'Point', coordinates: [13.1929, 55.7029] },
    }
    await writeFile(
      path.join(cwd, 'fountains.geojson'),
      JSON.stringify({ type: 'FeatureCollection', features: [feature] }),
    )
    await runs(codeOf('import'), cwd)
    const registry = await openRegistry({ database: path.join(cwd, 'openfountain.db'), create: false })
    expect(await registry.waypoints.list()).toMatchObject([{ name: 'Market square' }])
    await registry.close()
    expect(await runs(codeOf('log'), cwd)).toContain('The log verifies')
    // The server takes the place of the shell, so that ending the one ends the other.
    const publish = codeOf('publish').replace(/^npx (openfountain serve .*)$/mu, 'exec $1 --port 0')
    expect(publish).toMatch(/^exec openfountain serve/mu)
    const child = bash(publish, cwd)
    const end = ended(child)
    const url = await new Promise<string>((resolve, reject) => {
      child.stderr?.on('data', (output: string) => {
        const [, found] = /Serving \S+ at (\S+)/u.exec(output) ?? []
        if (found !== undefined) resolve(found)
      })
      end.then(({ stderr }) => reject(new Error(stderr)), reject)
    })
    expect(await (await fetch(url)).text()).toContain('<title>')
    expect((await fetch(`${url}/api/exports`)).status).toBe(200)
    child.kill('SIGTERM')
    await end
  })

  test('running your own works as it is written', async () => {
    const cwd = path.join(home, 'own')
    await mkdir(cwd)
    const [invite = '', serve = ''] = codeOf('serve').trim().split('\n')
    const link = await runs(invite, cwd)
    const [, secret = ''] = /^http:\/\/localhost:8080\/sign-in\/#(\S+)\n$/u.exec(link) ?? []
    const registry = await openRegistry({ database: path.join(cwd, 'openfountain.db'), create: false })
    const { userId } = await registry.accounts.redeemLink(secret)
    expect(await registry.users.profile(userId)).toMatchObject({ name: 'Ada', isModerator: true })
    await registry.close()
    expect(serve).toMatch(/^npx openfountain serve /u)
    const { stdout } = await ended(bash(`${serve} --help`, cwd))
    expect(stdout).toContain('Usage: openfountain serve')
  })

  test('the table of configuration has every environment variable, its option and its default', async () => {
    for (const { options } of await loaded(commands)) {
      for (const [name, option] of Object.entries(options)) {
        if (option.env === undefined) continue
        const row = text.split('\n').find((line) => line.includes(`\`${option.env}\``)) ?? ''
        expect(row).toContain(`--${name}\``)
        if ('default' in option) expect(row).toContain(`\`${option.default}\``)
      }
    }
  })

  test('links to what is there, and shows a small picture', async () => {
    expect(localLinksOf(text).filter((target) => !existsSync(path.join(root, target)))).toEqual([])
    const picture = await readFile(path.join(root, 'docs/images/map.png'))
    expect(picture.length).toBeLessThan(300_000)
  })

  test('the two commands are those of the package', async () => {
    const { scripts } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>
    }
    expect(text).toContain('npm ci\nnpm start\n')
    expect(scripts['start']).toContain('scripts/start.ts')
  })
})
