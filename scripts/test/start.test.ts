/** @module-tag process */
import { spawn } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { openRegistry, token } from '@openfountain/core'
import { expect, test } from 'vitest'
import { afterwards } from '@openfountain/testing/afterwards'
import { ended, folder, killGroup } from '@openfountain/testing/command/shell'
import { plainEnvironment } from '../packages/consumer.ts'
import { root } from '../packages/folders.ts'
import { addressIn, started, type Started } from './started.ts'

function linksIn(output: string): Readonly<Record<string, string>> {
  const links = output.matchAll(/as a (\w+) +http:\/\/localhost:\d+\/sign-in\/#(ofl_[\w-]{43})$/gmu)
  return Object.fromEntries([...links].map(([, who = '', secret = '']) => [who, secret]))
}

const textAt = async (url: string): Promise<string> => (await fetch(url)).text()

test('npm start makes the sample, serves site and API at one address, and later repeats only what is needed; it ends when npm was killed', async () => {
  const home = await folder()
  const start = async (port?: string): Promise<Started> => {
    const server = await started(home, port)
    afterwards(server.stop)
    return server
  }
  const first = await start()
  expect(first.output).toMatch(/Making the sample.*Exporting.*Building the site/su)
  expect(await textAt(`${first.url}/`)).toContain('Sample registry (fictional)')
  expect(await textAt(`${first.url}/api/stats`)).toContain('"totalWaypoints":150')
  expect((await fetch(`${first.url}/waypoint/1/`)).status).toBe(200)
  expect((await fetch(`${first.url}/waypoint/152/`)).status).toBe(404)
  expect(await textAt(`${first.url}/api/exports`)).toContain('waypoints.geojson')
  expect((await first.stop()).code).toBe(0)

  const second = await start()
  expect(second.output).not.toMatch(/Making|Exporting|Building/u)
  const [links, earlier] = [linksIn(second.output), linksIn(first.output)]
  expect(Object.keys(links)).toEqual(['moderator', 'newcomer'])
  expect(links).not.toEqual(earlier)
  const registry = await openRegistry({ database: path.join(home, 'openfountain.db') })
  const { accounts, users, waypoints } = registry
  const ada = await accounts.redeemLink(links['moderator'] ?? '')
  expect(await users.profile(ada.userId)).toMatchObject({ isModerator: true })
  const someone = await accounts.redeemLink(earlier['newcomer'] ?? '', { name: 'Newcomer' })
  expect(await users.profile(someone.userId)).toMatchObject({ isModerator: false, name: 'Newcomer' })
  await waypoints.create({ name: 'Added by hand', latitude: 43.7333, longitude: 7.42 }, token())
  await registry.close()
  expect(await textAt(`${second.url}/api/stats`)).toContain('"totalWaypoints":151')
  expect((await second.stop()).code).toBe(0)

  const third = await start()
  expect(third.output).not.toContain('Making')
  expect(third.output).toMatch(/Exporting.*Building the site/su)
  expect(await textAt(`${third.url}/waypoint/152/`)).toContain('Added by hand')
  // The usual port, or the next one when that is taken.
  const [beside, another] = [await start(''), await start('')]
  expect(new Set([third.url, beside.url, another.url]).size).toBe(3)
  await Promise.all([third, beside, another].map((server) => server.stop()))

  if (process.platform === 'win32') return
  // npm hands no signal on when it is killed. A group of its own, so that nothing is left when the test fails.
  const env = { ...plainEnvironment, OPENFOUNTAIN_HOME: home, PORT: '0' }
  const npm = spawn('npm', ['start', '--silent'], { cwd: root, env, detached: true })
  afterwards(() => killGroup(npm.pid))
  // Emitted once no process has the output open.
  const end = ended(npm)
  const url = await addressIn(npm.stdout)
  expect((await fetch(`${url}/api/health`)).status).toBe(200)
  npm.kill('SIGKILL')
  expect(await end).toMatchObject({ signal: 'SIGKILL' })
  await expect(fetch(`${url}/api/health`)).rejects.toThrow('fetch failed')
}, 300_000)

test.each(['three', '65536'])(
  'npm start with the PORT %s says what it may be, and makes nothing',
  async (port) => {
    const home = await folder()
    const message = `PORT must be a whole number from 0 to 65535, not ${JSON.stringify(port)}`
    await expect(started(home, port)).rejects.toThrow(message)
    expect(await readdir(home)).toEqual([])
  },
)
