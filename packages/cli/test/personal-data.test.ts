import { readFileSync } from 'node:fs'
import { readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { openRegistry, token, user, type Registry } from '@openfountain/core'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { answered, folder, openfountain, openfountains, serving } from '@openfountain/testing/command/shell'

interface Planted {
  readonly cwd: string
  readonly registry: Registry
  readonly id: string
}

const comment = 'Cold water beside my aunt’s house'

/** Ada, who has an address, a passkey's place, a session and a review. */
async function planted(name = 'Ada Byron'): Promise<Planted> {
  const cwd = await folder()
  const registry = await openRegistry({ database: path.join(cwd, 'openfountain.db') })
  onTestFinished(() => registry.close())
  const { id } = await registry.users.create({ name, email: 'ada@example.org' })
  await registry.accounts.addIdentity(id, {
    key: 'mailto:ada@example.org',
    provider: 'email',
    label: 'ada@example.org',
  })
  const fountain = await registry.waypoints.create({ name: 'Spring', latitude: 1, longitude: 1 }, token())
  await registry.reviews.create({ bubblerId: fountain.id, rating: 4, comment }, user(id))
  return { cwd, registry, id }
}

describe('user export', () => {
  let umask: number
  beforeEach(() => {
    umask = process.umask(0)
  })
  afterEach(() => {
    process.umask(umask)
  })

  test('writes one document of everything about a user, to a file that is its owner’s alone or to standard output', async () => {
    const { cwd, registry, id } = await planted()
    const { session } = await registry.sessions.create(id, { device: 'Firefox on Linux' })
    // Whoever may write into the folder must not choose what is overwritten.
    await writeFile(path.join(cwd, 'precious'), 'kept')
    await symlink('precious', path.join(cwd, 'ada.json.part'))
    const done = await answered(z.unknown(), ['user', 'export', id, '--out', 'ada.json'], { cwd })
    expect(done).toEqual({ file: 'ada.json' })
    const text = await readFile(path.join(cwd, 'ada.json'), 'utf8')
    expect(JSON.parse(text)).toMatchObject({
      user: { id, name: 'Ada Byron', email: 'ada@example.org' },
      identities: [{ label: 'ada@example.org' }],
      sessions: [{ device: 'Firefox on Linux' }],
      reviews: [{ comment }],
      entries: [{ by: id, subject: 'review' }],
    })
    expect(text).not.toContain(session)
    expect(await readFile(path.join(cwd, 'precious'), 'utf8')).toBe('kept')
    if (process.platform !== 'win32')
      expect((await stat(path.join(cwd, 'ada.json'))).mode & 0o777).toBe(0o600)
    expect((await readdir(cwd)).filter((name) => name.endsWith('.part'))).toEqual([])
    const printed = await openfountain(['user', 'export', id], { cwd })
    expect(printed).toMatchObject({ code: 0, stdout: text, stderr: '' })
  })

  test('what a user wrote cannot steer the terminal, and is the same text as JSON', async () => {
    const name = 'Ada \u200Fgnp.exe'
    const { cwd, id } = await planted(name)
    const { stdout } = await openfountain(['user', 'export', id], { cwd })
    expect(stdout).not.toMatch(/\u200F/u)
    expect(JSON.parse(stdout)).toMatchObject({ user: { name } })
  })

  test('a user who is not there leaves no file, and a folder that is not there is named', async () => {
    const { cwd } = await planted()
    const unknown = await openfountain(['user', 'export', 'nobody', '--out', 'nobody.json'], { cwd })
    expect(unknown).toMatchObject({ code: 3, stdout: '' })
    const nowhere = await openfountain(['user', 'export', 'nobody', '--out', 'no/where.json'], { cwd })
    expect(nowhere.code).toBe(2)
    expect(nowhere.stderr).toContain('--out: folder no not found')
    expect((await readdir(cwd)).filter((name) => !name.startsWith('openfountain.db'))).toEqual([])
  })
})

describe('user erase', () => {
  test('refuses without the exact name, and then nothing is erased', async () => {
    const { cwd, registry, id } = await planted()
    for (const confirm of [[], ['--confirm', 'Ada'], ['--confirm', id], ['--confirm', '']]) {
      const args = ['user', 'erase', id, ...confirm, '--texts', 'erase']
      const { code, stdout, stderr } = await openfountain(args, { cwd })
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      expect(stderr).toContain('--confirm')
      expect(stderr).not.toContain('Byron')
    }
    expect(await registry.users.profile(id)).toMatchObject({ name: 'Ada Byron' })
    expect(await registry.reviews.list({ userId: id })).toMatchObject([{ comment }])
  })

  test('the built-in user of API tokens cannot be erased', async () => {
    const { cwd, registry } = await planted()
    const { name } = await registry.users.profile('api')
    const { code } = await openfountain(['user', 'erase', 'api', '--confirm', name], { cwd })
    expect(code).toBe(3)
    expect(await registry.users.get('api')).toMatchObject({ name })
  })

  test('keeps what they wrote without their name, and ends their sessions in a running server at once', async () => {
    const { cwd, registry, id } = await planted()
    const { url } = await serving([], { cwd })
    const { session } = await registry.sessions.create(id)
    const asAda = async () =>
      (await fetch(`${url}/api/user`, { headers: { cookie: `session=${session}` } })).status
    expect(await asAda()).toBe(200)
    const args = ['user', 'erase', id, '--confirm', 'Ada Byron', '--security-log', 'security.log']
    const { code, stdout, stderr } = await openfountain(args, { cwd })
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: `User ${id} is erased; what they wrote stays without a name\n`,
    })
    expect(stderr).toContain('Backups and exports that were made before still have them')
    expect(await asAda()).toBe(401)
    expect(await registry.users.get(id)).not.toHaveProperty('name')
    expect(await registry.reviews.list({ userId: id })).toMatchObject([{ comment }])
    const log = await readFile(path.join(cwd, 'security.log'), 'utf8')
    expect(JSON.parse(log)).toMatchObject({ event: 'account.left', user: id })
    expect(log).not.toMatch(/Byron|example\.org/u)
    expect((await openfountain(args, { cwd })).code).toBe(3)
  })

  test('leaves no trace of them and of what they wrote in any file, when texts are erased too', async () => {
    const { cwd, registry, id } = await planted()
    await registry.close()
    const args = ['user', 'erase', id, '--confirm', 'Ada Byron', '--texts', 'erase']
    expect(await answered(z.unknown(), args, { cwd })).toEqual({ erased: id, texts: 'erase' })
    for (const file of await readdir(cwd)) {
      const bytes = await readFile(path.join(cwd, file))
      for (const marker of ['Byron', 'ada@example.org', 'beside my aunt'])
        expect([file, marker, bytes.includes(marker)]).toEqual([file, marker, false])
    }
    expect((await openfountain(['log', 'verify'], { cwd })).code).toBe(0)
  })
})

test('a text is found everywhere, shown, and erased once that is confirmed; what still holds it is said', async () => {
  const cwd = await folder()
  const database = path.join(cwd, 'openfountain.db')
  const registry = await openRegistry({ database })
  await registry.users.create({ id: 'ada', name: 'Ada', xp: 100 })
  await registry.users.create({ id: 'eve', name: 'Call 0171  12345', xp: 100 })
  const garden = {
    name: 'Garden tap',
    latitude: 55.7,
    longitude: 13.2,
    description: 'Ring 0171 12345 \u202e',
  }
  await registry.waypoints.create(garden, user('ada'))
  await registry.waypoints.update(1, { description: 'Ask at the gate' }, user('ada'))
  await registry.reviews.create(
    { bubblerId: 1, rating: 1, comment: 'Their number is 0171 12345!' },
    user('eve'),
  )
  await registry.observations.create({ bubblerId: 1, kind: 'dry', comment: '0171 12345' }, token())
  await registry.waypoints.create({ name: 'Market', latitude: 55, longitude: 13 }, token())
  await registry.waypoints.delete(2, token(), { reason: 'says 0171 12345' })
  await registry.reports.create(
    { bubblerId: 1, reason: 'private', comment: 'It has 0171 12345' },
    user('ada'),
  )
  await registry.close()
  const why = ['--reason', 'A private number']
  const text = ['takedown', '--text', '0171 12345', ...why]
  const [none, short, both, nowhere, dry, unasked, shown, done, again] = await openfountains(
    [
      ['takedown', ...why],
      ['takedown', '--text', '01', ...why],
      [...text, '--user', 'ada'],
      ['takedown', '--text', '0999', ...why],
      [...text, '--dry-run', '--json'],
      text,
      [...text, '--dry-run'],
      [...text, '--yes', '--json'],
      [...text, '--yes', '--json'],
    ],
    { cwd },
  )
  expect([none, short, both, nowhere, dry, unasked, shown, done].map((each) => each?.code)).toEqual([
    2, 2, 2, 3, 0, 2, 0, 0,
  ])
  const found = JSON.parse(dry?.stdout ?? '') as { places: { subject: string; fields: object }[] }
  expect(found.places.map(({ subject, fields }) => [subject, Object.keys(fields)])).toEqual([
    ['waypoint 1', ['description']],
    ['review 1', ['comment']],
    [expect.stringMatching(/^observation /u), ['comment']],
    ['waypoint 2', ['reason']],
  ])
  expect(found).toMatchObject({
    reports: [{ id: 1 }],
    elsewhere: [{ place: 'user eve, name', remedy: expect.stringContaining('user rename eve') as string }],
  })
  expect(unasked?.stderr).toContain('nothing was erased; to erase it give --yes')
  expect(shown?.stdout).toContain(String.raw`  description: Ring 0171 12345 \u202e`)
  expect(JSON.parse(done?.stdout ?? '')).toMatchObject({ erased: { entries: { length: 4 }, reports: [1] } })
  // What is left is the name of a person, which is hers to change, or the operator's.
  expect(JSON.parse(again?.stdout ?? '')).toMatchObject({ places: [], reports: [], elsewhere: { length: 1 } })
  const after = await openRegistry({ database })
  await after.users.update('eve', { name: 'Eve' })
  expect(await after.changes.verify()).toMatchObject({ ok: true })
  await after.close()
  expect(readFileSync(database).includes('0171 12345')).toBe(false)
})

test('what is taken down is no longer in the site either, where it was said how that is published', async () => {
  const cwd = await folder()
  const registry = await openRegistry({ database: path.join(cwd, 'openfountain.db') })
  const square = { name: 'Square', description: 'Ring 0171 12345', latitude: 55, longitude: 13 }
  await registry.waypoints.create(square, token())
  await registry.close()
  const env = { OPENFOUNTAIN_PUBLISH: ' --out site  --languages en --formats csv ' }
  const texts = (): string => readFileSync(path.join(cwd, 'site/data/waypoints.csv'), 'utf8')
  const args = ['takedown', '--text', '0171 12345', '--reason', 'A number', '--yes', '--json']
  const { code, stdout } = await openfountain(args, { cwd, env })
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ erased: { entries: [1] }, published: true })
  expect(texts()).toContain('Square')
  expect(texts()).not.toContain('0171 12345')
}, 600_000)

test('that the site has it still is said by the exit code, and what it has to be told', async () => {
  const cwd = await folder()
  const registry = await openRegistry({ database: path.join(cwd, 'openfountain.db') })
  const square = { name: 'Square', description: 'Ring 0171 12345', latitude: 55, longitude: 13 }
  await registry.waypoints.create(square, token())
  await registry.close()
  const text = ['takedown', '--text', '0171 12345', '--reason', 'A number', '--yes']
  const wrong = await openfountain([...text, '--publish=--out site --engine steam'], { cwd })
  expect(wrong.code).toBe(2)
  expect(wrong.stderr).toContain('--engine must be one of')
  expect(wrong.stdout).toMatch(/^Text is removed from entry 1[^]*publish them again \(openfountain publish/u)
})

test('a fountain or a person is taken down only with its name, so that a wrong id harms nobody', async () => {
  const cwd = await folder()
  const database = path.join(cwd, 'openfountain.db')
  const registry = await openRegistry({ database })
  await registry.users.create({ id: 'eve', name: 'Eve', xp: 100 })
  await registry.waypoints.create({ name: 'Garden tap', latitude: 55.7251, longitude: 13.2 }, user('eve'))
  await registry.waypoints.create({ name: 'Market', latitude: 55, longitude: 13 }, token())
  await registry.reviews.create({ bubblerId: 1, rating: 1, comment: 'Behind the hedge' }, user('eve'))
  await registry.close()
  const why = ['--reason', 'In a private garden']
  const garden = ['takedown', '--waypoint', '1', ...why]
  const eve = ['takedown', '--user', 'eve', ...why]
  const lines = [
    ['takedown', '--waypoint', '2', ...why, '--yes', '--confirm', 'Garden tap'],
    [...garden, '--yes'],
    ['takedown', '--waypoint', '9', ...why, '--dry-run'],
    [...garden, '--dry-run'],
    [...garden, '--yes', '--confirm', 'Garden tap'],
    [...eve, '--yes', '--confirm', 'Ada'],
    [...eve, '--yes', '--confirm', 'Eve', '--json'],
    ['user', 'show', 'eve'],
    ['waypoint', 'show', '2'],
  ]
  const done = await openfountains(lines, { cwd })
  expect(done.map(({ code }) => code)).toEqual([2, 2, 3, 0, 0, 2, 0, 3, 0])
  expect(done[0]?.stderr).toContain('--confirm must be the fountain’s name, "Market"; nothing was erased')
  expect(done[3]?.stdout).toContain('latitude: 55.7251')
  expect(done[4]?.stdout).toMatch(/Text is removed from entries .*\n[^]*publish them again/u)
  const after = await openRegistry({ database })
  expect((await after.waypoints.list()).map(({ name }) => name)).toEqual(['Market'])
  expect(await after.changes.verify()).toMatchObject({ ok: true })
  for await (const entry of after.changes.since(0))
    expect(JSON.stringify(entry)).not.toMatch(/Garden tap|55\.7251|Behind the hedge/u)
  await after.close()
})
