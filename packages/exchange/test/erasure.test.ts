import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { token, user } from '@openfountain/core'
import { createApp, jsonLines } from '@openfountain/server'
import { newFolder } from '@openfountain/testing/folder'
import { emptyRegistry } from '@openfountain/testing/registry'
import { expect, test } from 'vitest'
import { exportRegistry } from '../src/index.ts'

const marker = (where: string): string => `Marker${where}Zq7`

function found(folder: string, allowed: RegExp): string[] {
  if (!existsSync(folder)) return []
  const files = readdirSync(folder, { withFileTypes: true, recursive: true }).filter((each) => each.isFile())
  return files.flatMap(({ parentPath, name }) => {
    const file = path.join(parentPath, name)
    const bytes = readFileSync(file)
    const text = (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('latin1')
    const each = text.match(/Marker[A-Za-z]+Zq7/gu) ?? []
    return [...new Set(each)].filter((one) => !allowed.test(one)).map((one) => `${one} in ${name}`)
  })
}

test('nothing of what somebody wrote or was called is left anywhere after they left and had their texts erased', async () => {
  const folder = newFolder()
  const database = path.join(folder, 'fountains.db')
  const exports = path.join(folder, 'exports')
  const lines: string[] = []
  const write = (line: string) => lines.push(line)
  const registry = await emptyRegistry({
    database,
    clock: () => new Date(),
    ids: undefined,
    onSecurityEvent: jsonLines(write),
  })
  const app = createApp(registry, {
    publicUrl: 'https://fountains.example',
    accessLog: jsonLines(write),
    securityLog: jsonLines(write),
  })
  const { secret } = await registry.accounts.invite({ isModerator: true })
  let cookie = ''
  const ask = async (method: string, asked: string, body?: unknown, headers = {}) => {
    const response = await app.fetch(
      new Request(`https://fountains.example${asked}`, {
        method,
        headers: {
          'content-type': 'application/json',
          'user-agent': `${marker('Agent')}/1.0 Firefox/140 (X11; Linux)`,
          ...(cookie === '' ? {} : { cookie }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    )
    const [set] = response.headers.getSetCookie()
    if (set !== undefined) cookie = set.split(';')[0] ?? ''
    const text = await response.text()
    expect(`${asked} ${response.status} ${text}`).toMatch(/ 20\d /u)
    return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>)
  }
  const welcomed = await ask('POST', '/api/auth/links/redeem', { secret, name: marker('Name') })
  const { id } = welcomed['user'] as { id: string }
  await ask('PATCH', '/api/user', { name: marker('Newname'), email: `${marker('Email')}@example.org` })
  await ask('POST', '/api/user/tokens', { name: marker('Token') })
  const { accounts, tokens, users, waypoints, changes } = registry
  await tokens.create({ name: marker('Apitoken'), ownerId: id })
  const way = { key: `https://issuer ${marker('Subject')}`, provider: 'osm', label: marker('Label') }
  await accounts.addIdentity(id, way)
  const key = { publicKey: 'AA', counter: 0, transports: [], isSynced: false }
  await accounts.addPasskey({
    ...key,
    credentialId: marker('Credential'),
    userId: id,
    name: marker('Passkey'),
  })
  await accounts.link(id)

  await users.grantXp(id, 500, 'Helped')
  const texts = (which: string) => ({
    description: marker(`${which}Description`),
    maintainer: marker(`${which}Maintainer`),
    region: marker(`${which}Region`),
    image: `https://example.org/${marker(`${which}Image`)}`,
    amenities: ['tap', marker(`${which}Amenity`)],
  })
  const place = { latitude: 55.7, longitude: 13.2 }
  const own = await ask('POST', '/api/waypoints', { name: marker('Fountain'), ...place, ...texts('First') })
  await ask('PATCH', `/api/waypoints/${String(own['id'])}`, texts('Second'))
  const others = await waypoints.create({ name: 'Mill', latitude: 1, longitude: 2 }, token())
  await ask('PATCH', `/api/waypoints/${others.id}`, texts('Third'))
  await ask('POST', '/api/reviews', { bubblerId: others.id, rating: 3, comment: marker('Comment') })
  const gone = await ask('POST', '/api/reviews', { bubblerId: others.id, rating: 1, comment: marker('Gone') })
  const { id: reviewId } = gone['review'] as { id: number }
  await ask('DELETE', `/api/reviews?id=${reviewId}`)
  const by = user(id)
  const eve = await users.create({ name: 'Eve', xp: 100 })
  await users.block(eve.id, { reason: marker('Block') }, by)
  await users.unblock(eve.id, by)
  const spam = await waypoints.create({ name: 'Spam', latitude: 3, longitude: 4 }, user(eve.id))
  await waypoints.merge(spam.id, { into: others.id, reason: marker('Merge') }, by)
  await waypoints.restore(spam.id, { reason: marker('Restore') }, by)
  await waypoints.update(others.id, { maintainer: 'Works' }, user(eve.id))
  const { id: edit } = await changes.head()
  await changes.revert(edit, { reason: marker('Revert') }, by)

  await exportRegistry(registry, { out: exports })
  const before = found(folder, /^$/u)
  for (const where of ['Newname in fountains', 'Email', 'Passkey', 'Comment', 'Block', 'Merge', 'Revert'])
    expect(before.join('\n')).toContain(`Marker${where.split(' ')[0]}Zq7`)

  await ask('DELETE', '/api/user', { confirm: marker('Newname'), texts: 'erase' })
  cookie = ''
  rmSync(exports, { recursive: true })
  await exportRegistry(registry, { out: exports })
  await registry.backup(path.join(folder, 'backup.db'))
  expect(found(folder, /^MarkerFountainZq7$/u)).toEqual([])
  expect(lines.length).toBeGreaterThan(15)
  expect(lines.join('')).not.toMatch(/Marker/u)
  expect(await registry.changes.verify()).toMatchObject({ ok: true, problems: [] })
  const profile = await ask('GET', `/api/users/${id}`)
  expect(profile['user']).not.toHaveProperty('name')
  const logged = await ask('GET', '/api/logs/recent')
  const names = (logged['logs'] as { userId: string; user: object }[])
    .filter(({ userId }) => userId === id)
    .map((entry) => entry.user)
  expect(names.length).toBeGreaterThan(3)
  expect(names.every((each) => Object.keys(each).length === 0)).toBe(true)
})
