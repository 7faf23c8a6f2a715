/** @module-tag process */
import { spawn } from 'node:child_process'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { openRegistry, token } from '@openfountain/core'
import { afterwards } from '@openfountain/testing/afterwards'
import { folder, openfountain as run, serving } from '@openfountain/testing/command/shell'
import { freePort } from '@openfountain/testing/listening'
import { placed } from '@openfountain/testing/registry'
import { expect, test } from 'vitest'

const receiver = fileURLToPath(new URL('../../../examples/webhook-receiver.ts', import.meta.url))

test('a webhook is added, tested, told by the server, and received by the program of the guide', async () => {
  const db = path.join(await folder(), 'fountains.db')
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/`
  expect((await run(['webhook', 'add', url, '--db', db])).stderr).toContain('is not https:')
  const given = `webhook add ${url} --db ${db} --webhooks-insecure --event created --json`
  const added = await run(given.split(' '))
  const { id, secret } = JSON.parse(added.stdout) as { id: string; secret: string }
  expect(secret).toMatch(/^whsec_[\w+/]{43}=$/u)
  expect((await stat(db.replace('.db', '.key'))).mode & 0o777).toBe(0o600)
  const child = spawn(process.execPath, ['--conditions=openfountain-source', receiver], {
    env: { WEBHOOK_SECRET: secret, PORT: String(port) },
  })
  afterwards(() => void child.kill())
  let printed = ''
  child.stdout.on('data', (part: Buffer) => (printed += part.toString()))
  await new Promise((resolve) => child.stderr.once('data', resolve))
  const tested = await run(['webhook', 'test', id, '--db', db, '--webhooks-insecure'])
  expect(tested.stdout).toBe('It answers 204\n')
  expect((await run(['webhook', 'test', id, '--db', db])).stderr).toContain('is not https:')
  await expect.poll(() => printed).toBe('test \n')
  await serving(['--db', db, '--webhooks-insecure'])
  await using registry = await openRegistry({ database: db })
  const { id: fountain } = await placed(registry, { name: 'Harbour' })
  await registry.waypoints.update(fountain, { name: 'Quay' }, token())
  await expect.poll(() => printed).toBe('test \nwaypoint.created Harbour\n')
  // The answer is written down after the program has printed.
  const shown = async (): Promise<unknown> =>
    JSON.parse((await run(['webhook', 'deliveries', '--db', db, '--json'])).stdout)
  await expect
    .poll(shown)
    .toMatchObject({ isPaused: false, webhooks: [{ id, attempts: 0, lastStatus: 204 }] })
  const rotated = await run(['webhook', 'rotate', id, '--db', db])
  expect(rotated.stdout).toMatch(/^whsec_/u)
  expect(rotated.stdout).not.toContain(secret)
  expect((await run(['webhook', 'resend', id, '--db', db])).stdout).toBe('0 sent, 0 left\n')
  expect((await run(['deliveries', 'resume', '--db', db])).stdout).toContain('1 webhooks')
  expect((await run(['webhook', 'remove', id, '--db', db])).stdout).toContain('is removed')
  expect((await run(['webhook', 'test', id, '--db', db])).code).toBe(3)
})

test('an endpoint of Open311 is added with a sealed key, listed without it, and signs nothing', async () => {
  const db = path.join(await folder(), 'fountains.db')
  const given = `webhook add https://city.example/v2 --open311 7 --closed-means-works --db ${db}`
  const added = await run(given.split(' '), { env: { OPENFOUNTAIN_OPEN311_KEY: 'the key of the city' } })
  const id = added.stdout.trim()
  expect(id).toMatch(/^[\w-]{8,}$/u)
  const listed = await run(['webhook', 'list', '--db', db, '--json'])
  expect(JSON.parse(listed.stdout)).toMatchObject({ webhooks: [{ id, events: ['broken', 'gone'] }] })
  await using registry = await openRegistry({ database: db })
  const city = await registry.webhooks.city(id)
  expect(city).toMatchObject({ service: '7', closedMeansWorks: true, requests: [] })
  expect(listed.stdout + JSON.stringify(city)).not.toContain('the key')
  for (const verb of ['test', 'rotate']) expect((await run(['webhook', verb, id, '--db', db])).code).toBe(2)
})
