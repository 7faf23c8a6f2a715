import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { createAccounts } from '@openfountain/accounts'
import { openRegistry, user } from '@openfountain/core'
import { createApp } from '@openfountain/server'
import type { Answered } from '@openfountain/testing/record/answers'
import { photosInMemory, picture } from '@openfountain/testing/photos'
import { Browser } from '@openfountain/testing/server/browser'
import { SMTPServer } from 'smtp-server'

/** A request and its answer. */
export type Exchanged = Pick<Answered, 'method' | 'path' | 'response' | 'text'>

const sha256 = (data: string | Uint8Array): Buffer => createHash('sha256').update(data).digest()

type Cbor = number | string | Buffer | ReadonlyMap<number | string, Cbor>

/** Values of CBOR (RFC 8949) below 65,536 and short texts: what attestations without a statement need. */
function cbor(value: Cbor): Buffer {
  const head = (kind: number, size: number): Buffer =>
    size < 24
      ? Buffer.of((kind << 5) | size)
      : size < 256
        ? Buffer.of((kind << 5) | 24, size)
        : Buffer.of((kind << 5) | 25, size >> 8, size & 255)
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, value.length), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  const members = [...value].flatMap(([name, each]) => [cbor(name), cbor(each)])
  return Buffer.concat([head(5, value.size), ...members])
}

/** An authenticator with one key of ES256. */
function authenticator(origin: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = sha256('the only one').subarray(0, 16)
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const key = cbor(
    new Map<number, Cbor>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ]),
  )
  const data = (flags: number, ...more: Buffer[]) =>
    Buffer.concat([sha256(new URL(origin).hostname), Buffer.of(flags, 0, 0, 0, 0), ...more])
  const credential = (response: Readonly<Record<string, Buffer>>) => ({
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key',
    clientExtensionResults: {},
    response: Object.fromEntries(
      Object.entries(response).map(([name, bytes]) => [name, bytes.toString('base64url')]),
    ),
  })
  const client = (type: string, challenge: string) => Buffer.from(JSON.stringify({ type, challenge, origin }))
  return {
    create(challenge: string) {
      const attested = data(0x45, Buffer.alloc(16), Buffer.of(0, id.length), id, key)
      const object = new Map<string, Cbor>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', attested],
      ])
      return credential({
        clientDataJSON: client('webauthn.create', challenge),
        attestationObject: cbor(object),
      })
    },
    get(challenge: string, userHandle: string) {
      const clientDataJSON = client('webauthn.get', challenge)
      const authenticatorData = data(0x05)
      const signed = Buffer.concat([authenticatorData, sha256(clientDataJSON)])
      return credential({
        clientDataJSON,
        authenticatorData,
        signature: sign('sha256', signed, privateKey),
        userHandle: Buffer.from(userHandle, 'base64url'),
      })
    },
  }
}

/** A mail server for one code. */
async function codeServer() {
  let arrived: (code: string) => void = () => {}
  const code = new Promise<string>((resolve) => (arrived = resolve))
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onData(stream, _session, callback) {
      void (async () => {
        const [, left = '', right = ''] = /(\d{4}) (\d{4})/u.exec(await text(stream)) ?? []
        arrived(left + right)
        callback()
      })()
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  return { url: `smtp://127.0.0.1:${port}`, code, close: () => server.close(() => {}) }
}

const publicUrl = 'https://fountains.example'

/** Ways to sign in, webhooks, and what else the record of answers has not: requests to a registry of its own. */
export async function* waysIn(database: string): AsyncGenerator<Exchanged> {
  const clock = (): Date => new Date('2026-06-01T08:00:00.000Z')
  const mails = await codeServer()
  const photos = photosInMemory()
  const registry = await openRegistry({ database, clock, photos, ids: () => 'ada' })
  const mail = { smtp: mails.url, from: 'Fountains <fountains@fountains.example>' }
  const ways = createAccounts(registry, { publicUrl, registration: 'open', clock, mail })
  const webhooks = {
    check: () => {},
    secretOf: () => `whsec_${'A'.repeat(32)}`,
    pushKey: () => `B${'A'.repeat(86)}`,
    checkDevice: () => {},
  }
  const app = createApp(registry, { publicUrl, accounts: ways, webhooks })
  const ada = new Browser(app, { base: publicUrl })
  const answered = async (
    method: string,
    path: string,
    asked?: Parameters<Browser['fetch']>[2],
    by = ada,
  ): Promise<Exchanged> => {
    const response = await by.fetch(method, path, asked)
    return { method, path, response, text: await response.text() }
  }
  const optionsIn = ({ text: body }: Exchanged) =>
    (JSON.parse(body) as { options: { challenge: string; user?: { id: string } } }).options
  try {
    const email = 'ada@example.org'
    yield answered('POST', '/api/auth/codes', { body: { email } })
    const code = { email, code: await mails.code, name: 'Ada' }
    yield answered('POST', '/api/auth/codes/redeem', { body: code })
    const { secret } = await registry.accounts.link('ada')
    yield answered('POST', '/api/auth/links/redeem', { body: { secret } })
    const { create, get } = authenticator(publicUrl)
    const adding = await answered('POST', '/api/user/passkeys/options')
    yield adding
    const { challenge, user: { id: handle } = { id: '' } } = optionsIn(adding)
    const passkey = { response: create(challenge), name: 'Phone' }
    const added = await answered('POST', '/api/user/passkeys', { body: passkey })
    yield added
    yield answered('PATCH', added.response.headers.get('location') ?? '', { body: { name: 'Old phone' } })
    const signing = await answered('POST', '/api/auth/passkeys/options')
    yield signing
    const response = get(optionsIn(signing).challenge, handle)
    yield answered('POST', '/api/auth/passkeys/sign-in', { body: { response } })
    const square = { name: 'Market square', latitude: 55.7029, longitude: 13.1929 }
    const token = `Bearer ${(await registry.tokens.create({ name: 'City' })).token}`
    const city = new Browser(app, { base: publicUrl, headers: { authorization: token } })
    const { id } = JSON.parse((await answered('POST', '/api/waypoints', { body: square }, city)).text) as {
      id: number
    }
    const photo = await registry.photos.create(id, picture('A basin'), { alt: 'A basin' }, user('ada'))
    yield answered('GET', '/api/user/export')
    yield answered('GET', '/api/user/push')
    yield answered('DELETE', `/api/photos?id=${photo.id}`)
    const webhook = { url: 'https://city.example/hook' }
    const told = await answered('POST', '/api/webhooks', { body: webhook }, city)
    yield told
    yield answered('PATCH', told.response.headers.get('location') ?? '', { body: { active: false } }, city)
    const whole = await answered('GET', '/api/openapi')
    const { openapi, info, paths } = JSON.parse(whole.text) as Record<string, Record<string, unknown>>
    const cut = { openapi, info, paths: { '/api/health': paths?.['/api/health'] } }
    yield { ...whole, text: JSON.stringify(cut) }
  } finally {
    await ways.close()
    await registry.close()
    mails.close()
  }
}
