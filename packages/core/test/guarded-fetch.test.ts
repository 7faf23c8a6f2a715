import { createServer, type RequestListener } from 'node:http'
import { gzipSync } from 'node:zlib'
import { listening } from '@openfountain/testing/listening'
import { expect, test } from 'vitest'
import {
  bytesOf,
  guardedFetch,
  guardedResponse,
  isNamedPrivate,
  isPrivateAddress,
} from '../src/guarded-fetch.ts'

const serving = async (listener: RequestListener): Promise<string> =>
  `http://127.0.0.1:${await listening(createServer(listener))}/`

const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => (error as { refusal?: { code: string } }).refusal?.code,
  )

test.each([
  ['ftp://fountains.example/', 'ADDRESS'],
  ['https://user:secret@fountains.example/', 'CREDENTIALS'],
  ['fountains.example', 'ADDRESS'],
  ['http://fountains.example/', 'SCHEME'],
  ['https://127.0.0.1/', 'PRIVATE'],
  ['https://[::1]/', 'PRIVATE'],
  ['https://[::ffff:10.0.0.1]/', 'PRIVATE'],
  ['https://169.254.169.254/latest/meta-data', 'PRIVATE'],
  ['https://0x7f.1/', 'PRIVATE'],
  ['https://localhost/', 'PRIVATE'],
])('%s is refused: %s', async (address, code) => {
  expect(await refusal(guardedFetch(address))).toBe(code)
})

test.each(['8.8.8.8', '2606:4700::1111', '172.32.0.1'])('%s is on the Internet', (address) => {
  expect(isPrivateAddress(address)).toBe(false)
})

test.each([
  '10.1.2.3',
  '100.64.0.1',
  '192.168.1.1',
  '::',
  '::ffff:127.0.0.1',
  'fd00::1',
  '64:ff9b::7f00:1',
  'x',
])('%s is not', (address) => {
  expect(isPrivateAddress(address)).toBe(true)
})

test('redirects are followed, told and counted, and one into the network of the machine is refused', async () => {
  const seen: string[] = []
  const to = await serving((request, response) => {
    const step = Number(request.url?.slice(1))
    if (step === 3) response.end('here')
    else response.writeHead(302, { location: step > 90 ? '/91' : `/${step + 1}` }).end()
  })
  const allow = { allowPrivate: true, onRedirect: (url: string) => seen.push(url) }
  const response = await guardedFetch(`${to}1`, allow)
  expect([response.url, String(await bytesOf(response, 10)), seen]).toEqual([
    `${to}3`,
    'here',
    [`${to}2`, `${to}3`],
  ])
  expect(await refusal(guardedFetch(`${to}91`, allow))).toBe('REDIRECTS')
})

test('a response that is too long or never comes is left', async () => {
  const long = await serving((_request, response) => response.end('x'.repeat(1000)))
  expect(await refusal(guardedFetch(long, { allowPrivate: true }).then((got) => bytesOf(got, 999)))).toBe(
    'TOO_LARGE',
  )
  const silent = await serving(() => {})
  expect(await refusal(guardedFetch(silent, { allowPrivate: true, idleSeconds: 0.1 }))).toBe('TOO_SLOW')
  const stalled = await serving((_request, response) => {
    response.write('x')
  })
  const body = guardedFetch(stalled, { allowPrivate: true, idleSeconds: 0.1 }).then((got) => bytesOf(got, 9))
  expect(await refusal(body)).toBe('TOO_SLOW')
})

test('what mirrors read is unpacked, leads nowhere, and asks no private network by another name', async () => {
  const at = await serving((request, response) => {
    if (request.url === '/old') return response.writeHead(302, { location: '/new' }).end()
    return response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{"head":1}'))
  })
  const allow = { allowPrivate: true }
  expect(await guardedResponse(at, allow).then((got) => got.json())).toEqual({ head: 1 })
  const moved = await guardedResponse(`${at}old`, allow)
  expect([moved.status, moved.headers.get('location')]).toEqual([302, '/new'])
  expect(await refusal(guardedResponse('http://localhost/', { allowPlain: true }))).toBe('PRIVATE')
  expect(await refusal(guardedResponse('http://fountains.invalid/', { allowPlain: true }))).toBe(
    'UNREACHABLE',
  )
})

test.each([
  ['http://127.0.0.1:3000/', true],
  ['http://localhost/', true],
  ['http://[::1]/', true],
  ['https://10.1/', true],
  ['https://fountains.example/', false],
  ['https://8.8.8.8/', false],
])('%s names a private address: %s', (address, is) => expect(isNamedPrivate(new URL(address))).toBe(is))
