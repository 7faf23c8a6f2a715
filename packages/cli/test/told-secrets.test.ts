/** @module-tag process */
import { createServer } from 'node:http'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { openRegistry, token } from '@openfountain/core'
import { Deliveries, registryKey, Sender } from '@openfountain/telling'
import { mailServer } from '@openfountain/testing/accounts/mail-server'
import { folder, openfountain as run, serving } from '@openfountain/testing/command/shell'
import { textIn } from '@openfountain/testing/folder'
import { listening } from '@openfountain/testing/listening'
import { placed } from '@openfountain/testing/registry'
import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'

test('addresses of people and devices, and secrets, are in no log, no export, no page and no answer to others', async () => {
  const place = await folder()
  const db = path.join(place, 'fountains.db')
  const told: string[] = []
  const refusing = createServer((request, response) => {
    told.push(request.url ?? '')
    request.resume()
    response.writeHead(410).end()
  })
  const outside = `http://127.0.0.1:${await listening(refusing)}`
  const refuse = {
    'ben@leaked-here-mail.example': [{ code: 550, text: 'No ben@leaked-here-mail.example here' }],
  }
  const mail = await mailServer({
    refuse,
    allowInsecureAuth: true,
    onAuth: (_auth, _session, done) => done(null, { user: 'sender' }),
  })
  const env = {
    OPENFOUNTAIN_SMTP_URL: mail.url.replace('//', '//sender:leaked-here-password@'),
    OPENFOUNTAIN_MAIL_FROM: 'fountains@example.org',
    OPENFOUNTAIN_PUBLIC_URL: 'http://localhost:3000',
    OPENFOUNTAIN_OPEN311_KEY: 'leaked-here-city',
  }
  const add = async (...more: string[]) =>
    (await run(['webhook', 'add', '--db', db, '--webhooks-insecure', '--json', ...more], { env })).stdout
  const { secret } = JSON.parse(await add(`${outside}/hook`)) as { secret: string }
  await add(`${outside}/city`, '--open311', '7')
  const key = registryKey(db, {})
  const keys = { p256dh: new Sender({ key: () => key }).pushKey(), auth: 'A'.repeat(22) }
  await using registry = await openRegistry({ database: db })
  const { id } = await placed(registry)
  // Who begins to tell tells nothing of what was before.
  const first = new Deliveries(registry, new Sender({ key: () => key }))
  await first.tellFollowers()
  await first.stop()
  for (const name of ['Ada', 'Ben']) {
    const { id: userId } = await registry.users.create({ name, xp: 100 })
    const address = `${name.toLowerCase()}@leaked-here-mail.example`
    await registry.accounts.addIdentity(userId, { key: address, provider: 'email', label: address })
    const endpoint = `${outside}/leaked-here-device-${name}`
    await registry.follows.addDevice(userId, { endpoint, keys })
    const by = ['web' as const, 'mail' as const, 'push' as const]
    await registry.follows.create(userId, { what: { bubblerId: id }, by, rhythm: 'at-once' })
  }
  await registry.waypoints.update(id, { name: 'Harbour' }, token())
  await registry.observations.create({ bubblerId: id, kind: 'broken' }, token())
  const security = path.join(place, 'security.log')
  const server = await serving(['--db', db, '--webhooks-insecure', '--security-log', security], { env })
  await expect.poll(() => new Set(told).size, { timeout: 30_000 }).toBe(4)
  await expect.poll(() => mail.mails.length).toBe(1)
  const answers: string[] = []
  const asked = `api/waypoints api/waypoints/${id}?include=photos api/changes api/logs api/leaderboard api/stats api/health
    api/webhooks api/user/follows api/feeds/changes.atom api/feeds/changes.json api/openapi open311/v2/requests.json`
  for (const one of asked.split(/\s+/u)) {
    const response = await fetch(`${server.url}/${one}`)
    answers.push(JSON.stringify([...response.headers]), await response.text())
  }
  const { stderr } = await server.stop()
  const [out, site] = [path.join(place, 'exports'), path.join(place, 'site')]
  for (const line of [
    `export --db ${db} --out ${out}`,
    `site build --data ${out} --out ${site}`,
    `doctor --db ${db}`,
  ])
    answers.push(...Object.values(await run(line.split(' '), { env })).map(String))
  const log = await readFile(security, 'utf8').catch(() => '')
  const files = [out, site]
    .flatMap((each) => readdirSync(each, { recursive: true, withFileTypes: true }))
    .flatMap((file) => (file.isFile() ? [textIn(file.parentPath, file.name)] : []))
  expect(mail.mails.map(({ to }) => to)).toEqual([['ada@leaked-here-mail.example']])
  expect(stderr).toContain('given up')
  const all = [stderr, ...server.lines, log, ...answers, ...files].join(' ')
  for (const hidden of ['leaked-here', secret, key, keys.auth])
    expect(
      all
        .split(hidden)
        .slice(1)
        .map((text) => text.slice(0, 99)),
      hidden,
    ).toEqual([])
})
