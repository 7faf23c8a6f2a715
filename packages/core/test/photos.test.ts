import {
  anonymous,
  defaultRules,
  type Registry,
  RegistryError,
  token,
  user,
  userByToken,
} from '@openfountain/core'
import { photosInMemory, picture, type PhotosInMemory } from '@openfountain/testing/photos'
import { emptyRegistry, placed, refusal } from '@openfountain/testing/registry'
import { isOnPostgres } from '@openfountain/testing/database'
import { beforeEach, expect, test } from 'vitest'

let photos: PhotosInMemory
let registry: Registry
let now = Date.parse('2026-06-01T00:00:00.000Z')
const hour = 60 * 60 * 1000
const later = (hours: number): void => void (now += hours * hour)

beforeEach(async () => {
  now = Date.parse('2026-06-01T00:00:00.000Z')
  photos = photosInMemory()
  registry = await emptyRegistry({ photos, clock: () => new Date((now += 1000)) })
})

const person = async (name: string, xp = 20) => user((await registry.users.create({ name, xp })).id)
const moderator = async () => {
  const { id } = await registry.users.create({ name: 'Mo' })
  await registry.users.setModerator(id, true)
  return user(id)
}
const verified = async () => (isOnPostgres() ? [] : (await registry.changes.verify()).problems)
const xpOf = async (id: string) => (await registry.users.get(id)).xp
const entriesOf = async (subject: string) => {
  const entries = await registry.changes.entries(0)
  return entries.filter((entry) => entry.subject === subject)
}

test('a photo has the files of its picture, an author and a licence, and the log has no name', async () => {
  const { id } = await placed(registry)
  const ada = await person('Ada')
  const photo = await registry.photos.create(
    id,
    picture('a'),
    { alt: 'Dog bowl', takenAt: '2026-05-31T10:00:00+02:00' },
    ada,
  )
  expect(photo).toMatchObject({
    bubblerId: id,
    userId: ada.userId,
    license: 'CC-BY-4.0',
    author: 'Ada',
    alt: 'Dog bowl',
    takenAt: '2026-05-31',
    width: 2048,
    height: 1536,
    state: 'shown',
  })
  for (const url of Object.values(photo.urls))
    expect(url).toMatch(/^\/api\/photos\/files\/[0-9a-f]{64}\.webp$/)
  expect(photos.files.size).toBe(3)
  const [entry] = await entriesOf('photo')
  expect(entry?.fields).toEqual({
    alt: 'Dog bowl',
    height: 1536,
    license: 'CC-BY-4.0',
    mediumSha256: expect.any(String),
    sha256: photo.urls.large.slice(-69, -5),
    smallSha256: expect.any(String),
    state: 'shown',
    takenAt: '2026-05-31',
    waypoint: id,
    width: 2048,
  })
  expect(JSON.stringify(entry)).not.toContain('Ada')
  expect(await registry.photos.of(id)).toEqual([photo])
  expect(await verified()).toEqual([])
})

test('the same picture is stored once, and one person has one photo of it at a fountain', async () => {
  const { id } = await placed(registry)
  const [ada, eva] = [await person('Ada'), await person('Eva')]
  const first = await registry.photos.create(id, picture('a'), {}, ada)
  expect(await registry.photos.create(id, picture('a'), {}, ada)).toEqual(first)
  const other = await registry.photos.create(id, picture('a'), {}, eva)
  expect(other.id).not.toBe(first.id)
  expect(photos.files.size).toBe(3)
  await registry.photos.delete(first.id, ada)
  expect(photos.files.size).toBe(3)
  await registry.photos.delete(other.id, eva)
  expect(photos.files.size).toBe(0)
  expect(await verified()).toEqual([])
})

test('a licence that is not allowed, a missing fountain, and nobody are refused before a picture is worked on', async () => {
  const { id } = await placed(registry)
  const ada = await person('Ada')
  const refused = async (...given: Parameters<typeof registry.photos.create>) =>
    (await refusal(registry.photos.create(...given))).code
  expect(await refused(id, picture('a'), { license: 'CC-BY-NC-4.0' }, ada)).toBe('INVALID_INPUT')
  expect(await refused(id, picture('a'), { takenAt: 'yesterday' }, ada)).toBe('INVALID_INPUT')
  expect(await refused(id, picture('a'), { alt: 'x'.repeat(301) }, ada)).toBe('INVALID_INPUT')
  expect(await refused(id + 1, picture('a'), {}, ada)).toBe('NOT_FOUND')
  expect(await refused(id, picture('a'), {}, anonymous)).toBe('UNAUTHORIZED')
  expect(photos.files.size).toBe(0)
})

test('without a place for files there are no photos', async () => {
  const without = await emptyRegistry()
  const { id } = await placed(without)
  const create = without.photos.create(id, picture('a'), {}, token())
  expect((await refusal(create)).code).toBe('UNAVAILABLE')
})

test('a photo of the operator names its author, who has no account', async () => {
  const { id } = await placed(registry)
  const named = await registry.photos.create(id, picture('a'), {}, token(), { author: 'City archive' })
  const own = await registry.photos.create(id, picture('b'), { license: 'CC0-1.0' }, token())
  expect([named.author, own.author]).toEqual(['City archive', 'openfountain contributors'])
})

test('a new account adds a number of photos in its first day', async () => {
  const { id } = await placed(registry)
  const way = { key: 'https://id.example 1', provider: 'example', label: 'Ada there' }
  const { userId } = await registry.accounts.signIn(way, { name: 'Ada', registration: 'open' })
  const { photos: most } = defaultRules.newcomers
  const add = (each: number) => registry.photos.create(id, picture(String(each)), {}, user(userId))
  for (let each = 0; each < most; each++) await add(each)
  expect((await refusal(add(most))).code).toBe('RATE_LIMITED')
  expect(photos.files.size).toBe(3 * most)
  later(24)
  await add(most)
})

test('somebody one XP short waits for a moderator, and earns when it is shown, once a fountain and week', async () => {
  const { id } = await placed(registry)
  const [eve, mo] = [await person('Eve', 19), await moderator()]
  const [one, two] = [
    await registry.photos.create(id, picture('a'), {}, eve),
    await registry.photos.create(id, picture('b'), {}, eve),
  ]
  expect([one.state, two.state]).toEqual(['waiting', 'waiting'])
  expect(await registry.photos.of(id)).toEqual([])
  expect(await xpOf(eve.userId)).toBe(19)
  const { items, total } = await registry.moderation.queue({ kind: 'photos' }, mo)
  expect([items.map(({ photo }) => photo?.id), total]).toEqual([[one.id, two.id], 2])
  await registry.photos.update(one.id, { state: 'shown' }, mo)
  await registry.photos.update(two.id, { state: 'shown' }, mo)
  expect(await xpOf(eve.userId)).toBe(24)
  expect((await registry.photos.create(id, picture('c'), {}, eve)).state).toBe('shown')
  expect(await xpOf(eve.userId)).toBe(24)
  later(24 * 8)
  await registry.photos.create(id, picture('d'), {}, eve)
  expect(await xpOf(eve.userId)).toBe(29)
  expect(await verified()).toEqual([])
})

test('what waits is listed to its author and to moderators, whose personal tokens have no such right', async () => {
  const { id } = await placed(registry)
  const [eve, ada, mo] = [await person('Eve', 0), await person('Ada'), await moderator()]
  const photo = await registry.photos.create(id, picture('a'), {}, eve)
  const sha256 = photo.urls.small.slice(-69, -5)
  const seenBy = async (actor: Parameters<typeof registry.photos.list>[1]) => [
    (await registry.photos.list({ userId: eve.userId }, actor)).length,
    await registry.photos.file(sha256, actor).then(
      (file) => file !== 'gone' && file.isPublic,
      ({ code }: { code: string }) => code,
    ),
  ]
  expect(await seenBy(eve)).toEqual([1, false])
  expect(await seenBy(mo)).toEqual([1, false])
  for (const other of [ada, anonymous, userByToken(mo.userId)])
    expect(await seenBy(other)).toEqual([0, 'NOT_FOUND'])
  await registry.photos.update(photo.id, { state: 'shown', reason: 'a fountain' }, mo)
  expect(await seenBy(anonymous)).toEqual([1, true])
  await registry.photos.delete(photo.id, eve)
  expect(await registry.photos.file(sha256, anonymous)).toBe('gone')
  expect((await refusal(registry.photos.file('0'.repeat(64), mo))).code).toBe('NOT_FOUND')
})

test('its author describes it, moderators hide it with a public reason, and others may do neither', async () => {
  const { id } = await placed(registry)
  const [ada, eve, mo] = [await person('Ada'), await person('Eve'), await moderator()]
  const photo = await registry.photos.create(id, picture('a'), {}, ada)
  expect((await registry.photos.update(photo.id, { alt: 'Basin' }, ada)).alt).toBe('Basin')
  expect((await refusal(registry.photos.update(photo.id, { alt: 'x' }, mo))).code).toBe('FORBIDDEN')
  expect((await refusal(registry.photos.update(photo.id, { state: 'hidden' }, ada))).code).toBe('FORBIDDEN')
  expect((await refusal(registry.photos.delete(photo.id, eve))).code).toBe('FORBIDDEN')
  await registry.photos.update(photo.id, { state: 'hidden', reason: 'a face' }, mo)
  expect((await refusal(registry.photos.delete(photo.id, eve))).code).toBe('NOT_FOUND')
  const { acts } = await registry.moderation.acts()
  expect(acts[0]).toMatchObject({ kind: 'hidden', reason: 'a face', photo: { id: photo.id } })
  expect(await registry.photos.of(id)).toEqual([])
  await registry.moderation.undo(acts[0]?.id ?? 0, { reason: 'blurred already' }, mo)
  expect(await registry.photos.of(id)).toHaveLength(1)
  expect(await verified()).toEqual([])
})

test('two reports by accounts older than a day hide it until a moderator decides', async () => {
  const { id } = await placed(registry)
  const [ada, one, two, mo] = [
    await person('Ada'),
    await person('One'),
    await person('Two'),
    await moderator(),
  ]
  const { id: photoId } = await registry.photos.create(id, picture('a'), {}, ada)
  const report = async (by: typeof one) => registry.reports.create({ photoId, reason: 'private' }, by)
  const young = await person('Young')
  later(25)
  const younger = await person('Younger')
  await report(one)
  await report(younger)
  await registry.reports.create({ photoId, reason: 'offensive' }, one)
  expect((await registry.photos.get(photoId)).state).toBe('shown')
  await report(two)
  expect((await registry.photos.get(photoId)).state).toBe('hidden')
  const { items } = await registry.moderation.queue({ kind: 'reported' }, mo)
  expect(items[0]).toMatchObject({
    photo: { id: photoId },
    reports: [{ photoId }, { photoId }, { photoId }],
  })
  await registry.photos.update(photoId, { state: 'shown', reason: 'nobody is on it' }, mo)
  expect((await registry.moderation.queue({ kind: 'reported' }, mo)).total).toBe(0)
  await report(young)
  expect((await registry.photos.get(photoId)).state).toBe('shown')
  expect(await verified()).toEqual([])
})

test('undoing what a person did hides their photos, and undoing that shows them', async () => {
  const { id } = await placed(registry)
  const [ada, mo] = [await person('Ada'), await moderator()]
  await registry.photos.create(id, picture('a'), {}, ada)
  expect(await xpOf(ada.userId)).toBe(25)
  const reason = 'advertising'
  await registry.users.revert(ada.userId, { since: '2026-01-01T00:00:00Z', reason }, mo)
  expect([await registry.photos.of(id), await xpOf(ada.userId)]).toEqual([[], 20])
  const { acts } = await registry.moderation.acts()
  await registry.moderation.undo(acts[0]?.id ?? 0, { reason: 'it was none' }, mo)
  expect([(await registry.photos.of(id)).length, await xpOf(ada.userId)]).toEqual([1, 25])
  expect(await verified()).toEqual([])
})

test('a merge moves photos, and a restore moves them back', async () => {
  const [kept, gone] = [await placed(registry), await placed(registry, { name: 'Twin' })]
  const [ada, mo] = [await person('Ada'), await moderator()]
  await registry.photos.create(gone.id, picture('a'), {}, ada)
  await registry.waypoints.merge(gone.id, { into: kept.id, reason: 'the same' }, mo)
  expect(await registry.photos.of(kept.id)).toHaveLength(1)
  await registry.waypoints.restore(gone.id, { reason: 'another one' }, mo)
  expect([(await registry.photos.of(kept.id)).length, (await registry.photos.of(gone.id)).length]).toEqual([
    0, 1,
  ])
  expect(await verified()).toEqual([])
})

test.each([
  [{}, 'a former contributor'],
  [{ credit: true }, 'Ada'],
])('whoever leaves with %j is called %s', async (options, author) => {
  const { id } = await placed(registry)
  const ada = await person('Ada')
  await registry.photos.create(id, picture('a'), {}, ada)
  await registry.accounts.leave(ada.userId, { confirm: 'Ada', texts: 'keep', ...options })
  expect((await registry.photos.of(id)).map((photo) => photo.author)).toEqual([author])
  expect(JSON.stringify(await entriesOf('photo'))).not.toContain('Ada')
})

test('whoever leaves and erases takes their photos, with files and texts', async () => {
  const { id } = await placed(registry)
  const ada = await person('Ada')
  await registry.photos.create(id, picture('a'), { alt: 'My dog Rex' }, ada)
  await registry.accounts.leave(ada.userId, { confirm: 'Ada', texts: 'erase' })
  expect([await registry.photos.of(id), photos.files.size]).toEqual([[], 0])
  expect(JSON.stringify(await entriesOf('photo'))).not.toContain('Rex')
  expect(await verified()).toEqual([])
})

test.for([1, 2, 3])(
  'without room for file %i there is no photo, and the others go after a day',
  async (nth) => {
    const { id } = await placed(registry)
    const ada = await person('Ada')
    const put = photos.storage.put.bind(photos.storage)
    let puts = 0
    photos.storage.put = async (file) => {
      if ((puts += 1) === nth)
        throw new RegistryError('STORAGE_FULL', 'The disk is full', { system: 'ENOSPC' })
      await put(file)
    }
    expect((await refusal(registry.photos.create(id, picture('a'), {}, ada))).code).toBe('STORAGE_FULL')
    expect([await entriesOf('photo'), photos.files.size]).toEqual([[], nth - 1])
    expect(await registry.photos.survey()).toEqual({ files: 0, missing: 0, unnamed: nth - 1 })
    expect([await registry.photos.sweep(), photos.files.size]).toEqual([nth - 1, 0])
    await registry.photos.create(id, picture('a'), {}, ada)
    expect(await registry.photos.survey()).toEqual({ files: 3, missing: 0, unnamed: 0 })
    await photos.storage.delete([...photos.files.keys()][0] ?? '')
    expect(await registry.photos.survey()).toEqual({ files: 3, missing: 1, unnamed: 0 })
  },
)

test('files that no photo has go after a day, and others stay', async () => {
  const { id } = await placed(registry)
  await registry.photos.create(id, picture('a'), {}, await person('Ada'))
  await photos.storage.put({ sha256: 'f'.repeat(64), bytes: picture('broken off') })
  expect(await registry.photos.sweep()).toBe(1)
  expect(photos.files.size).toBe(3)
})
