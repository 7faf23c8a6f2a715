import { readdirSync, readFileSync } from 'node:fs'
import { readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { token, user } from '@openfountain/core'
import { openPhotos } from '@openfountain/photos'
import { photosInMemory, picture } from '@openfountain/testing/photos'
import { expect, onTestFinished, test } from 'vitest'
import { workplace, type Workplace } from '@openfountain/testing/command/shell'

const comment = 'Cold water beside my aunt’s house'

async function planted(): Promise<Workplace & { readonly session: string }> {
  const place = await workplace()
  const session = await place.registry(async ({ accounts, reviews, sessions, users, waypoints }) => {
    const label = 'ada@example.org'
    await users.create({ id: 'ada', name: 'Ada Byron', email: label })
    await accounts.addIdentity('ada', { key: `mailto:${label}`, provider: 'email', label })
    const { id } = await waypoints.create({ name: 'Spring', latitude: 1, longitude: 1 }, token())
    await reviews.create({ bubblerId: id, rating: 4, comment }, user('ada'))
    return (await sessions.create('ada', { device: 'Firefox on Linux' })).session
  })
  return { ...place, session }
}

test('user export writes one document of everything about a user, to a file that is its owner’s alone or to standard output', async () => {
  const umask = process.umask(0)
  onTestFinished(() => void process.umask(umask))
  const { at, codes, cwd, json, run, session } = await planted()
  // A user with write access to the folder must not choose the overwritten file.
  await writeFile(at('precious'), 'kept')
  await symlink('precious', at('ada.json.part'))
  expect(await json('user export ada --out ada.json')).toEqual({ file: 'ada.json' })
  const text = await readFile(at('ada.json'), 'utf8')
  expect(JSON.parse(text)).toMatchObject({
    user: { id: 'ada', name: 'Ada Byron', email: 'ada@example.org' },
    identities: [{ label: 'ada@example.org' }],
    sessions: [{ device: 'Firefox on Linux' }],
    reviews: [{ comment }],
    entries: [{ by: 'ada', subject: 'review' }],
  })
  expect(text).not.toContain(session)
  expect(await readFile(at('precious'), 'utf8')).toBe('kept')
  if (process.platform !== 'win32') expect((await stat(at('ada.json'))).mode & 0o777).toBe(0o600)
  expect(await run('user export ada')).toMatchObject({ code: 0, stdout: text, stderr: '' })
  expect(
    await codes('user export nobody --out nobody.json', 'user export nobody --out no/where.json'),
  ).toEqual([3, 2])
  expect((await readdir(cwd)).filter((name) => !name.startsWith('openfountain.db'))).toEqual([
    'ada.json',
    'precious',
  ])
})

test('user erase refuses without the exact name, and for the built-in user of API tokens; then nothing is erased', async () => {
  const { codes, registry, run } = await planted()
  for (const confirm of ['', '--confirm Ada']) {
    const { code, stdout, stderr } = await run(`user erase ada ${confirm} --texts erase`)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('--confirm')
    expect(stderr).not.toContain('Byron')
  }
  await registry(async ({ reviews, users }) => {
    const { name } = await users.profile('api')
    expect(await codes(`user erase api --confirm '${name}'`)).toEqual([3])
    expect(await users.profile('ada')).toMatchObject({ name: 'Ada Byron' })
    expect(await reviews.list({ userId: 'ada' })).toMatchObject([{ comment }])
  })
})

test('user erase keeps what they wrote without their name, and ends their sessions in a running server at once', async () => {
  const { at, codes, registry, run, serving, session } = await planted()
  const { url } = await serving()
  const asAda = async () =>
    (await fetch(`${url}/api/user`, { headers: { cookie: `session=${session}` } })).status
  expect(await asAda()).toBe(200)
  const erase = "user erase ada --confirm 'Ada Byron' --security-log security.log"
  const { code, stdout, stderr } = await run(erase)
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: 'User ada is erased; what they wrote stays without a name\n',
  })
  expect(stderr).toContain('Backups and exports that were made before still have them')
  expect(await asAda()).toBe(401)
  await registry(async ({ reviews, users }) => {
    expect(await users.get('ada')).not.toHaveProperty('name')
    expect(await reviews.list({ userId: 'ada' })).toMatchObject([{ comment }])
  })
  const log = await readFile(at('security.log'), 'utf8')
  expect(JSON.parse(log)).toMatchObject({ event: 'account.left', user: 'ada' })
  expect(log).not.toMatch(/Byron|example\.org/u)
  expect(await codes(erase)).toEqual([3])
})

test('a text is found everywhere, shown, and erased once that is confirmed; what still holds it is said', async () => {
  const { at, codes, json, refused, registry, run } = await workplace()
  await registry(async ({ reports, reviews, users, waypoints }) => {
    await users.create({ id: 'eve', name: 'Call 0171  12345', xp: 100 })
    const tap = { name: 'Garden tap', latitude: 55.7, longitude: 13.2 }
    await waypoints.create({ ...tap, description: 'Ring 0171 12345 \u202e' }, token())
    await waypoints.update(1, { description: 'Ask at the gate' }, token())
    await reviews.create({ bubblerId: 1, rating: 1, comment: 'Their number is 0171 12345!' }, user('eve'))
    await reports.create({ bubblerId: 1, reason: 'private', comment: 'It has 0171 12345' }, user('eve'))
  })
  const why = "--reason 'A private number'"
  const text = `takedown --text '0171 12345' ${why}`
  const others = [`takedown ${why}`, `takedown --text 01 ${why}`, `${text} --user eve`]
  expect(await codes(...others, `takedown --text 0999 ${why}`)).toEqual([2, 2, 2, 3])
  expect(await json(`${text} --dry-run`)).toMatchObject({
    places: [{ subject: 'waypoint 1' }, { subject: 'review 1' }],
    reports: [{ id: 1 }],
    elsewhere: [{ place: 'user eve, name', remedy: expect.stringContaining('user rename eve') as string }],
  })
  await refused(text, 2, 'nothing was erased; to erase it give --yes')
  const shown = await run(`${text} --dry-run`)
  expect(shown.stdout).toContain(String.raw`  description: Ring 0171 12345 \u202e`)
  expect(await json(`${text} --yes`)).toMatchObject({ erased: { entries: { length: 2 }, reports: [1] } })
  // The remaining match is a user's name, which she or the operator can change.
  expect(await json(`${text} --yes`)).toMatchObject({ places: [], reports: [], elsewhere: { length: 1 } })
  await registry(({ users }) => users.update('eve', { name: 'Eve' }))
  expect(await codes('log verify')).toEqual([0])
  expect(readFileSync(at('openfountain.db')).includes('0171 12345')).toBe(false)
})

test.each([
  ['+41441234567', 'Ring +41 44 123 45 67'],
  ['+41 44 123 45 67', '+41441234567'],
  ['0041 44 123-45-67', 'Ring +41 (0)44/123.45.67!'],
  ['041 123 45 67', '041\u00a0123\u202f45\u202f67'],
])('the number %s is found as %s, and within no longer number', async (text, description) => {
  const { json, codes, registry } = await workplace()
  const place = { name: 'Square', latitude: 55, longitude: 13 }
  await registry(async ({ waypoints }) => {
    await waypoints.create({ ...place, description }, token())
    await waypoints.create({ ...place, description: `9${text.replaceAll(/\D/gu, '')}8` }, token())
  })
  const why = "--reason 'A number' --dry-run"
  expect(await json(`takedown --text '${text}' ${why}`)).toMatchObject({
    places: [{ subject: 'waypoint 1', fields: { description } }],
  })
  expect(await codes(`takedown --text '${text}9' ${why}`)).toEqual([3])
})

async function withNumber(): Promise<Workplace> {
  const place = await workplace()
  const square = { name: 'Square', description: 'Ring 0171 12345', latitude: 55, longitude: 13 }
  await place.registry(({ waypoints }) => waypoints.create(square, token()))
  return place
}
const number = "takedown --text '0171 12345' --reason 'A number' --yes"

test(
  'what is taken down is no longer in the site either, where it was said how that is published',
  { tags: ['process'] },
  async () => {
    const { at, json } = await withNumber()
    const env = { OPENFOUNTAIN_PUBLISH: ' --out site  --languages en --formats csv ' }
    expect(await json(number, { env })).toMatchObject({ erased: { entries: [1] }, published: true })
    const texts = readFileSync(at('site/data/waypoints.csv'), 'utf8')
    expect(texts).toContain('Square')
    expect(texts).not.toContain('0171 12345')
  },
)

test('that the site has it still is said by the exit code, and what it has to be told', async () => {
  const { run } = await withNumber()
  // A value of several words needs no equals sign, and its quotes are a shell's.
  const wrong = await run(`${number} --publish '--out "the site" --pages few'`)
  expect(wrong.code).toBe(2)
  expect(wrong.stderr).toContain('--pages')
  expect(wrong.stdout).toMatch(/^Text is removed from entry 1[^]*publish them again \(openfountain publish/u)
})

test('a fountain or a person is taken down only with its name, so that a wrong id harms nobody', async () => {
  const { codes, refused, registry, run } = await workplace()
  await registry(async ({ users, waypoints }) => {
    await users.create({ id: 'eve', name: 'Eve', xp: 100 })
    await waypoints.create({ name: 'Garden tap', latitude: 55.7251, longitude: 13.2 }, user('eve'))
    await waypoints.create({ name: 'Market', latitude: 55, longitude: 13 }, token())
  })
  const why = "--reason 'In a private garden'"
  const [garden, market] = [`takedown --waypoint 1 ${why}`, `takedown --waypoint 2 ${why} --yes`]
  const name = '--confirm must be the fountain’s name, "Market"; nothing was erased'
  await refused(`${market} --confirm 'Garden tap'`, 2, name)
  expect(await codes(`${garden} --yes`, `takedown --waypoint 9 ${why} --dry-run`)).toEqual([2, 3])
  expect((await run(`${garden} --dry-run`)).stdout).toContain('latitude: 55.7251')
  const done = await run(`${garden} --yes --confirm 'Garden tap'`)
  expect(done.stdout).toMatch(/Text is removed from entry .*\n[^]*publish them again/u)
  const eve = `takedown --user eve ${why} --yes --confirm`
  expect(await codes(`${eve} Ada`, `${eve} Eve`, 'user show eve', 'waypoint show 2')).toEqual([2, 0, 3, 0])
  await registry(async ({ changes }) => {
    expect(await changes.verify()).toMatchObject({ ok: true })
    expect(JSON.stringify(await changes.entries(0))).not.toMatch(/Garden tap|55\.7251/u)
  })
})

test('a photo is taken down with its files and its text, and a fountain with its photos', async () => {
  const place = await workplace()
  const { at, json, codes, registry } = place
  const { storage } = openPhotos(at('openfountain.photos'))
  await registry(
    async ({ waypoints, photos: taken }) => {
      const { id } = await waypoints.create({ name: 'Square', latitude: 55, longitude: 13 }, token())
      await taken.create(id, picture('a'), { alt: 'Our Rex' }, token())
      await taken.create(id, picture('b'), {}, token())
    },
    { photos: { storage, make: photosInMemory().make } },
  )
  const files = () =>
    readdirSync(at('openfountain.photos'), { recursive: true }).filter((name) =>
      String(name).endsWith('.webp'),
    )
  expect(files()).toHaveLength(6)
  const why = "--reason 'A face'"
  expect(await json(`takedown --photo 2 ${why} --dry-run`)).toMatchObject({
    photos: [{ id: 2, alt: 'Our Rex' }],
    places: [{ subject: 'photo 2', fields: { alt: 'Our Rex' } }],
  })
  await place.refused(`takedown --photo 2 ${why}`, 2, 'nothing was erased; to erase it give --yes')
  expect(await json(`takedown --photo 2 ${why} --yes`)).toMatchObject({ erased: { photos: [2] } })
  expect(files()).toHaveLength(3)
  expect(await json(`takedown --waypoint 1 ${why} --yes --confirm Square`)).toMatchObject({
    erased: { photos: [3] },
  })
  expect(files()).toEqual([])
  expect(await codes(`takedown --photo 2 ${why} --yes`, 'log verify --photos')).toEqual([3, 0])
  expect(readFileSync(at('openfountain.db')).includes('Our Rex')).toBe(false)
})
