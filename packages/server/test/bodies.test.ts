import { expect, test } from 'vitest'
import { type Stage, serving, stageOfFile } from '@openfountain/testing/server/stage'

const stage = await stageOfFile()

const post = (body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  stage.ask('POST', '/api/waypoints', { as: 'token', body, headers })
const spring = '{"name":"Spring","latitude":1,"longitude":1}'

const send = async ({ app, secrets }: Stage, body: ReadableStream | Buffer<ArrayBuffer>) =>
  app.fetch(
    new Request('http://fountains.test/api/waypoints', {
      method: 'POST',
      headers: { ...secrets['token'], 'content-type': 'application/json' },
      body,
      duplex: 'half',
    } as RequestInit),
  )

test.each([
  ['text/plain', 415],
  ['application/x-www-form-urlencoded', 415],
  ['application/json; charset=latin1', 415],
  ['application/json; charset=utf-8', 201],
  ['application/json;charset="UTF-8"', 201],
  ['Application/JSON', 201],
  ['application/vnd.api+json', 201],
  ['', 415],
])('bodies with the type %j are %i, and 415 when they are compressed', async (type, status) => {
  const packed = await post(spring, { 'content-type': type, 'content-encoding': 'gzip' })
  expect(packed.status).toBe(415)
  const response = await post(spring, { 'content-type': type })
  expect(response.status).toBe(status)
  if (status === 415) expect(response.body['code']).toBe('UNSUPPORTED_MEDIA_TYPE')
})

test('bodies of 64 KiB are read, one byte more is 413', async () => {
  const padded = (bytes: number) => spring + ' '.repeat(bytes - spring.length)
  expect((await post(padded(65_536))).status).toBe(201)
  const response = await post(padded(65_537))
  expect(response.status).toBe(413)
  expect(response.body).toMatchObject({ code: 'PAYLOAD_TOO_LARGE', details: { limitBytes: 65_536 } })
})

test('bodies that are too large are 413, also when their length is not declared', async () => {
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new Uint8Array(16_384).fill(32)),
  })
  expect((await send(stage, endless)).status).toBe(413)
})

test('bodies that do not arrive whole in time are 408, and say in which time', async () => {
  const patient = await serving({ bodyMilliseconds: 50 })
  const stalled = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode('{"name":')),
  })
  const response = await send(patient, stalled)
  await patient.conformance.check('POST', '/api/waypoints', response)
  expect(response.status).toBe(408)
  expect(response.headers.get('connection')).toBe('close')
  expect(await response.json()).toEqual({
    error: 'The request body must arrive whole within 0.05 seconds',
    code: 'REQUEST_TIMEOUT',
    details: { limitMilliseconds: 50 },
  })
  expect(patient.failures).toEqual([])
})

test.each(['{', '', 'undefined', '[1,]', "{'a':1}", '\ufeff{}}', 'null', '[]', '"x"', '3'])(
  'bodies that are no JSON object (%j) are 400',
  async (body) => {
    const response = await post(body)
    expect(response.status).toBe(400)
    expect(response.body).toMatchObject({ code: 'INVALID_INPUT', details: { issues: [{ path: '' }] } })
  },
)

test.each(['regular', 'moderator', 'token'] as const)('no odd body breaks a write of a %s', async (as) => {
  const { ask, document, failures } = await serving()
  const names = Array.from(JSON.stringify(document).matchAll(/"(\w+)":\{/gu), ([, name]) => name)
  const filledWith = (odd: unknown) => Object.fromEntries(names.map((name) => [name, odd]))
  const odd = [null, [], 'x', 3, ...[null, [], {}, 'x', -1, true].map(filledWith)]
  const bodies = odd.map((body) => JSON.stringify(body))
  for (const [route, operations] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(operations))
      for (const body of 'requestBody' in operation ? bodies : [])
        await ask(method.toUpperCase(), route.replaceAll(/\{\w+\}/gu, '1'), { as, body })
  expect(failures).toEqual([])
})

test('bodies that are not UTF-8 are 400, not silently changed', async () => {
  const response = await send(stage, Buffer.from('{"name":"\u00e4","latitude":1,"longitude":1}', 'latin1'))
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ error: 'The body is not UTF-8' })
})
