import { createServer, request as nodeRequest } from 'node:http'
import { type Photo, user } from '@openfountain/core'
import { expect, test } from 'vitest'
import { listening } from '@openfountain/testing/listening'
import { nodeListener } from '../src/index.ts'
import { type Role, stageOfFile } from '@openfountain/testing/server/stage'

const stage = await stageOfFile()

function form(fields: Readonly<Record<string, string | Blob>>): FormData {
  const made = new FormData()
  for (const [name, value] of Object.entries(fields)) made.set(name, value)
  return made
}
const add = (fields: Readonly<Record<string, string | Blob>>, as: Role = 'author', headers = {}) =>
  stage.ask('POST', `/api/waypoints/${stage.fountain.id}/photos`, { as, body: form(fields), headers })
const added = async (text: string, as: Role = 'author', fields = {}) =>
  (await add({ photo: new Blob([text]), ...fields }, as)).body['photo'] as Photo

test('a photo has its licence, its author’s present name and three files, which everybody may read', async () => {
  const { status, body } = await add({
    photo: new Blob(['one']),
    license: 'CC0-1.0',
    alt: 'A basin',
    takenAt: '2026-04-01T08:00:00Z',
  })
  expect(status).toBe(201)
  const photo = body['photo'] as Photo
  expect(photo).toMatchObject({
    bubblerId: stage.fountain.id,
    userId: 'author',
    license: 'CC0-1.0',
    author: 'Name of author',
    alt: 'A basin',
    takenAt: '2026-04-01',
    state: 'shown',
  })
  for (const url of Object.values(photo.urls)) {
    const { status: found, headers } = await stage.get(url)
    expect([found, headers.get('content-type'), headers.get('cache-control')]).toEqual([
      200,
      'image/webp',
      'public, max-age=3600',
    ])
    expect(headers.get('content-security-policy')).toMatch(/^sandbox/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    const again = await stage.ask('GET', url, { headers: { 'if-none-match': headers.get('etag') ?? '' } })
    expect(again.status).toBe(304)
  }
  const listed = await stage.get(`/api/waypoints/${stage.fountain.id}/photos`)
  expect(listed.body['photos']).toEqual([photo])
  const included = await stage.get(`/api/waypoints/${stage.fountain.id}?include=photos`)
  expect(included.body['photos']).toEqual([photo])
  expect((await stage.get('/api/photos?userId=author')).body['photos']).toEqual([photo])
})

test('what waits or is hidden is no file for others, and is never cached', async () => {
  const { id, state, urls } = await added('two', 'newcomer')
  expect(state).toBe('waiting')
  expect((await stage.get(urls.large)).status).toBe(404)
  for (const as of ['newcomer', 'moderator'] as const) {
    const { status, headers } = await stage.ask('GET', urls.large, { as })
    expect([status, headers.get('cache-control')]).toEqual([200, 'private, no-store'])
  }
  const queue = await stage.ask('GET', '/api/moderation/queue?kind=photos', { as: 'moderator' })
  expect(queue.body).toMatchObject({ total: 1, items: [{ kind: 'photos', photo: { id } }] })
  await stage.ask('PATCH', `/api/photos/${id}`, { as: 'moderator', body: { state: 'shown', reason: 'Good' } })
  expect((await stage.get(urls.large)).status).toBe(200)
})

test('what was deleted answers 410, and what never was 404', async () => {
  const { id, urls } = await added('three')
  const removed = await stage.ask('DELETE', `/api/photos?id=${id}&reason=A+face`, { as: 'moderator' })
  expect([removed.status, (removed.body['photo'] as Photo).id]).toEqual([200, id])
  expect((await stage.refusal(urls.large))[0]).toBe(410)
  for (const file of [`${'0'.repeat(64)}.webp`, 'x.webp', '..%2f..%2fetc%2fpasswd'])
    expect((await stage.get(`/api/photos/files/${file}`)).status).toBe(404)
})

const tooLarge = (bytes: number) => ({
  body: `--x\r\ncontent-disposition: form-data; name="photo"; filename="a.jpg"\r\n\r\n${'a'.repeat(bytes)}\r\n--x--\r\n`,
  headers: { 'content-type': 'multipart/form-data; boundary=x' },
})

test.for([
  ['another type than a form', { body: { photo: 'x' } }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
  ['a form without the picture', { body: form({ alt: 'x' }) }, 400, 'INVALID_INPUT'],
  ['a text in place of the picture', { body: form({ photo: 'x' }) }, 400, 'INVALID_INPUT'],
  [
    'a form that is cut off',
    { body: '--x\r\n', headers: { 'content-type': 'multipart/form-data; boundary=x' } },
    400,
    'INVALID_INPUT',
  ],
  ['a picture of more than 20 MB', tooLarge(20_000_001), 413, 'PAYLOAD_TOO_LARGE'],
  ['a body of more than that', tooLarge(21_000_000), 413, 'PAYLOAD_TOO_LARGE'],
] as const)('%s is refused', async ([, asked, status, code]) => {
  const path = `/api/waypoints/${stage.fountain.id}/photos`
  const found = await stage.ask('POST', path, { as: 'author', ...asked })
  expect([found.status, found.body['code']]).toEqual([status, code])
})

test('an upload that is broken off leaves nothing', async () => {
  const server = createServer(nodeListener(stage.app))
  const port = await listening(server)
  const before = (await stage.registry.head()).id
  const sent = nodeRequest({
    port,
    method: 'POST',
    path: `/api/waypoints/${stage.fountain.id}/photos`,
    headers: {
      ...stage.secrets.author,
      'content-type': 'multipart/form-data; boundary=x',
      'content-length': 1_000_000,
    },
  })
  sent.on('error', () => {})
  sent.write('--x\r\ncontent-disposition: form-data; name="photo"; filename="a.jpg"\r\n\r\nbegun')
  await new Promise<void>((resolve) => {
    server.on('connection', (socket) => {
      socket.on('close', () => resolve())
      setTimeout(() => sent.destroy(), 50)
    })
  })
  expect((await stage.registry.head()).id).toBe(before)
})

test('whoever leaves keeps their name under photos when they ask for it', async () => {
  const { users, sessions, photos } = stage.registry
  const { id } = await users.create({ name: 'Grace', xp: 30 })
  const photo = await photos.create(stage.fountain.id, Buffer.from('six'), {}, user(id))
  const headers = { cookie: `session=${(await sessions.create(id)).session}` }
  const body = { confirm: 'Grace', texts: 'keep', credit: true }
  expect((await stage.ask('DELETE', '/api/user', { body, headers })).status).toBe(204)
  expect((await photos.get(photo.id)).author).toBe('Grace')
})
