import dns from 'node:dns'
import { createServer, type ServerResponse } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import type { HappenedEvent } from '@openfountain/core/internal'
import { afterwards } from '@openfountain/testing/afterwards'
import { listening } from '@openfountain/testing/listening'
import { describe, expect, test } from 'vitest'
import { Sender } from '../src/index.ts'
import { report } from '../src/open311.ts'

const key = () => 'k'.repeat(32)
const strict = new Sender({ key })
const lax = new Sender({ key, insecure: true })
const message = { id: 'msg_1', body: '{}' }
const keys = { p256dh: strict.pushKey(), auth: 'A'.repeat(22) }
const event = { id: 1, event: 'broken', waypoint: { id: 1, name: 'Well', latitude: 1, longitude: 2 } }

const ways = {
  'a webhook': (sender: Sender, url: string) =>
    sender.send({ id: 'w', url, generation: 1 }, message, '2026-01-01T00:00:00.000Z'),
  'a device': (sender: Sender, endpoint: string) => sender.push({ endpoint, keys }, message),
  'a city': (sender: Sender, url: string) =>
    report({ sender, webhook: { url }, city: { service: '7', requests: [] } }, event as HappenedEvent),
}

async function answering(answer: (response: ServerResponse) => void) {
  const asked: unknown[] = []
  const server = createServer((request, response) => {
    asked.push(request.url)
    request.resume()
    answer(response)
  })
  return { url: `http://127.0.0.1:${await listening(server)}/`, asked }
}

function resolving(...answers: readonly (readonly string[])[]) {
  const { lookup } = dns
  const asked: string[] = []
  const put = (value: unknown) => (Object.assign(dns, { lookup: value }), syncBuiltinESMExports())
  afterwards(async () => put(lookup))
  put((name: string, _options: object, done: (error: null, found: readonly dns.LookupAddress[]) => void) => {
    const found = answers[asked.push(name) - 1] ?? answers.at(-1) ?? []
    done(
      null,
      found.map((address) => ({ address, family: 4 })),
    )
  })
  return asked
}

describe.each(Object.entries(ways))('to %s', (_name, send) => {
  test('other schemes, addresses inside the network and with a password get nothing', async () => {
    const refused = async (url: string) => (await send(strict, url)).error
    expect(await refused('http://city.example/')).toBe('SCHEME')
    expect(await refused('https://ada:secret@city.example/')).toBe('CREDENTIALS')
    for (const host of ['127.0.0.1', '0x7f.1', '169.254.169.254', '[::ffff:10.0.0.1]'])
      expect(await refused(`https://${host}/`), host).toBe('PRIVATE')
  })

  test('names that lead inside, one of their addresses too, and names that change their mind get nothing', async () => {
    const { url, asked } = await answering((response) => response.end())
    for (const addresses of [['127.0.0.1'], ['8.8.8.8', '10.0.0.1'], ['169.254.169.254']]) {
      const names = resolving(addresses)
      expect([await send(strict, 'https://inside.example/'), names]).toEqual([
        { error: 'PRIVATE' },
        ['inside.example'],
      ])
    }
    const changing = resolving(['127.0.0.1'], ['10.0.0.1'])
    const permitting = new Sender({ key, privateRanges: ['127.0.0.0/8'] })
    const named = `https://changing.example:${new URL(url).port}/`
    // The address that was looked at is the one that is connected to.
    expect([await send(permitting, named), changing.length, asked]).toEqual([{ error: 'UNREACHABLE' }, 1, []])
    expect(await send(permitting, named)).toEqual({ error: 'PRIVATE' })
  })

  test('redirects are not followed, and answers without an end are left', async () => {
    const inside = await answering((response) => response.end())
    const away = await answering((response) => response.writeHead(307, { location: inside.url }).end())
    expect(await send(lax, away.url)).toEqual({ status: 307, error: 'answers 307' })
    const endless = await answering((response) => {
      const more = () => void (response.destroyed || (response.write('x'.repeat(10_000)), setImmediate(more)))
      more()
    })
    expect(await send(lax, endless.url)).toEqual({ error: 'TOO_LARGE' })
    expect([away.asked.length, endless.asked.length, inside.asked]).toEqual([1, 1, []])
  })
})

test('an answer that drips is left', { tags: ['long'], timeout: 60_000 }, async () => {
  const { url } = await answering((response) => {
    const drips = setInterval(() => response.write(' '), 500)
    response.once('close', () => clearInterval(drips))
  })
  expect(await lax.ask(url, { headers: {} })).toEqual({ error: 'TOO_SLOW' })
})
