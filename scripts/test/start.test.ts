/** @module-tag process */
import { spawn, spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openRegistry, token } from '@openfountain/core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { ended, killGroup } from '@openfountain/testing/command/shell'
import { plainEnvironment } from '../packages/consumer.ts'
import { root } from '../packages/folders.ts'
import { addressIn, started, type Started } from './started.ts'

let home: string
beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'openfountain-start-'))
})
const running: Started[] = []
afterAll(async () => {
  await Promise.all(running.map((server) => server.stop()))
  await rm(home, { recursive: true, force: true })
})

/** Starts what is ended when a test fails before it does that itself. */
async function start(port?: string): Promise<Started> {
  const server = await started(home, port)
  running.push(server)
  return server
}

/** The secrets of the links that a start printed. */
function linksIn(output: string): Readonly<Record<string, string>> {
  const links = output.matchAll(/as a (\w+) +http:\/\/localhost:\d+\/sign-in\/#(ofl_[\w-]{43})$/gmu)
  return Object.fromEntries([...links].map(([, who = '', secret = '']) => [who, secret]))
}

const textAt = async (url: string): Promise<string> => (await fetch(url)).text()

describe('npm start', () => {
  test('makes the sample, serves site and API at one address, and later repeats only what is needed', async () => {
    const first = await start()
    expect(first.output).toMatch(/Making the sample.*Exporting.*Building the site/su)
    expect(await textAt(`${first.url}/`)).toContain('Sample registry (fictional)')
    expect(await textAt(`${first.url}/api/stats`)).toContain('"totalWaypoints":301')
    expect((await fetch(`${first.url}/waypoint/1/`)).status).toBe(200)
    expect((await fetch(`${first.url}/waypoint/303/`)).status).toBe(404)
    expect(await textAt(`${first.url}/api/exports`)).toContain('waypoints.geojson')
    expect((await first.stop()).code).toBe(0)

    const second = await start()
    expect(second.output).not.toMatch(/Making|Exporting|Building/u)
    const registry = await openRegistry({ database: path.join(home, 'openfountain.db') })
    const [links, earlier] = [linksIn(second.output), linksIn(first.output)]
    expect(Object.keys(links)).toEqual(['moderator', 'newcomer'])
    expect(links).not.toEqual(earlier)
    const ada = await registry.accounts.redeemLink(links['moderator'] ?? '')
    expect(await registry.users.profile(ada.userId)).toMatchObject({ isModerator: true })
    const someone = await registry.accounts.redeemLink(earlier['newcomer'] ?? '', { name: 'Newcomer' })
    expect(await registry.users.profile(someone.userId)).toMatchObject({
      isModerator: false,
      name: 'Newcomer',
    })
    await registry.waypoints.create({ name: 'Added by hand', latitude: 40.1, longitude: 9 }, token())
    await registry.close()
    expect(await textAt(`${second.url}/api/stats`)).toContain('"totalWaypoints":302')
    expect((await second.stop()).code).toBe(0)

    const third = await start()
    expect(third.output).not.toContain('Making')
    expect(third.output).toMatch(/Exporting.*Building the site/su)
    expect(await textAt(`${third.url}/waypoint/303/`)).toContain('Added by hand')

    // The usual port, or the next one when that is taken.
    const beside = await start('')
    const another = await start('')
    expect(new Set([third.url, beside.url, another.url]).size).toBe(3)
    await Promise.all([third.stop(), beside.stop(), another.stop()])
  })

  test.skipIf(process.platform === 'win32')(
    'ends when npm was killed, which hands no signal on',
    async () => {
      // A group of its own, so that nothing is left when the test fails.
      const npm = spawn('npm', ['start', '--silent'], {
        cwd: root,
        env: { ...plainEnvironment, OPENFOUNTAIN_HOME: home, PORT: '0' },
        detached: true,
      })
      onTestFinished(() => killGroup(npm.pid))
      // Emitted once no process has the output open.
      const end = ended(npm)
      const url = await addressIn(npm.stdout)
      expect((await fetch(`${url}/api/health`)).status).toBe(200)
      npm.kill('SIGKILL')
      expect(await end).toMatchObject({ signal: 'SIGKILL' })
      await expect(fetch(`${url}/api/health`)).rejects.toThrow('fetch failed')
    },
  )

  test('reports a PORT that is not a port', () => {
    const { status, stderr } = spawnSync(
      process.execPath,
      ['--conditions=openfountain-source', 'scripts/start.ts'],
      {
        cwd: root,
        env: { ...process.env, OPENFOUNTAIN_HOME: home, PORT: 'three' },
        encoding: 'utf8',
      },
    )
    expect(status).toBe(1)
    expect(stderr).toContain('PORT must be a number, not "three"')
  })
})
