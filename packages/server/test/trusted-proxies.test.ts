import { expect, test } from 'vitest'
import { networkOf, TrustedProxies, type TrustProxy } from '../src/http/trusted-proxies.ts'
import { createApp, OptionError } from '../src/index.ts'
import { emptyRegistry } from '@openfountain/testing/registry'

/** A request of node:http: `peer` is the other end of the connection. */
function requestFrom(peer: string | undefined, headers: Record<string, string> = {}): Request {
  const request = new Request('http://127.0.0.1:3000/api/stats', { headers })
  return Object.defineProperty(request, 'ip', { value: peer })
}

const clientOf = (trust: TrustProxy, peer: string | undefined, forwarded: string): string | undefined =>
  new TrustedProxies(trust).clientOf(requestFrom(peer, { 'x-forwarded-for': forwarded }))

const client = '198.51.100.7'
const proxy = '10.0.0.1'
const lan = ['10.0.0.0/8']
const here = ['loopback']

test.each<
  [what: string, TrustProxy, peer: string | undefined, forwarded: string, client: string | undefined]
>([
  ['the peer where nobody is trusted', false, '192.0.2.1', client, '192.0.2.1'],
  ['the peer where the peer is not trusted', [proxy], '192.0.2.1', client, '192.0.2.1'],
  ['what a proxy forwards', [proxy], proxy, client, client],
  ['the trusted peer that forwards nothing', [proxy], proxy, '', proxy],
  ['not what a client made up', [proxy], proxy, `203.0.113.9, ${client}`, client],
  ['behind two proxies', [proxy, '10.0.0.2'], proxy, `203.0.113.9, ${client},10.0.0.2`, client],
  ['behind a range', lan, '10.1.2.3', `203.0.113.9, ${client}, 10.9.9.9`, client],
  ['outside a range', lan, '11.1.2.3', client, '11.1.2.3'],
  ['behind a range of IPv6', ['2001:db8::/32'], '2001:db8:7::1', '2001:DB9::1', '2001:DB9::1'],
  ['behind a proxy that is reached over IPv6', lan, '::ffff:10.1.2.3', client, client],
  ['behind this machine', 'loopback', '127.0.0.1', client, client],
  ['behind this machine over IPv6', here, '::1', client, client],
  ['behind this machine, mapped', here, '::ffff:127.0.0.1', client, client],
  ['behind this machine and a range', [...here, ...lan], '127.0.0.1', `${client}, 10.0.0.3`, client],
  ['behind a private network', ['uniquelocal'], '192.168.1.4', client, client],
  ['the first where all are trusted', lan, proxy, '10.0.0.3, 10.0.0.2', '10.0.0.3'],
  ['with a port', here, '127.0.0.1', `${client}:51234`, client],
  ['of IPv6 with a port', here, '127.0.0.1', '[2001:db8::7]:51234', '2001:db8::7'],
  ['of IPv6 in brackets', here, '127.0.0.1', '[2001:db8::7]', '2001:db8::7'],
  ['behind proxies with ports', lan, proxy, `${client}:1, 10.0.0.2:443`, client],
  ['behind one proxy, whoever it is', true, '192.0.2.1', `203.0.113.9, ${client}`, client],
  ['behind one proxy that forwards nothing', true, '192.0.2.1', '', '192.0.2.1'],
  ['behind one proxy where the host hides the peer', true, undefined, `203.0.113.9, ${client}`, client],
  ['unknown where the host hides the peer', here, undefined, client, undefined],
  ['unknown where nobody is trusted either', false, undefined, client, undefined],
])('the address of the client is found: %s', (_what, trust, peer, forwarded, expected) => {
  expect(clientOf(trust, peer, forwarded)).toBe(expected)
})

const [own, town] = ['http://127.0.0.1:3000', 'fountains.example']
test.each<[what: string, trust: TrustProxy, peer: string, host: string, protocol: string, origin: string]>([
  ['its own where nobody is trusted', false, '192.0.2.1', 'evil.example', 'https', own],
  ['its own where the peer is not', lan, '192.0.2.1', 'evil.example', 'https', own],
  ['what a proxy forwards', lan, proxy, town, 'https', `https://${town}`],
  ['with its port', lan, proxy, 'a.example:8443', 'HTTPS', 'https://a.example:8443'],
  ['without a default port', lan, proxy, 'a.example:443', 'https', 'https://a.example'],
  ['a host without a protocol', lan, proxy, 'a.example', '', 'http://a.example'],
  ['a protocol without a host', lan, proxy, '', 'https', 'https://127.0.0.1:3000'],
  ['what is no protocol', lan, proxy, 'a.example', 'javascript', 'http://a.example'],
  ['what the nearest proxy forwards', true, '', `evil.example, ${town}`, 'http, https', `https://${town}`],
])('the origin that the client reached is found: %s', (_what, trust, peer, host, protocol, origin) => {
  const headers = {
    ...(host !== '' && { 'x-forwarded-host': host }),
    ...(protocol !== '' && { 'x-forwarded-proto': protocol }),
  }
  const request = requestFrom(peer === '' ? undefined : peer, headers)
  expect(new TrustedProxies(trust).originOf(request)).toBe(origin)
})

test('the origin that the client reached is none where a proxy forwards what is no host', () => {
  const headers = { 'x-forwarded-host': 'x:99999' }
  expect(new TrustedProxies(true).originOf(requestFrom('192.0.2.1', headers))).toBeUndefined()
})

const wrong = ['10.0.0.0/33', '10.0.0.0/0', '10.0.0', 'proxy.example', '10.0.0.1:3000', '', '::1/129']
test.each(wrong)('the trusted proxy %j is refused with the remedy', async (address) => {
  const registry = await emptyRegistry()
  const made = (): unknown => createApp(registry, { trustProxy: ['loopback', address] })
  expect(made).toThrow(OptionError)
  expect(made).toThrow(/^trustProxy has ".*10\.0\.0\.0\/8/u)
})

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::FFFF:c000:201', '192.0.2.1'],
  ['2001:db8:1:2::7', '2001:db8:1:2'],
  ['2001:0DB8:0001:2:0:0:0:7', '2001:db8:1:2'],
  ['2001:db8::7', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['64:ff9b::192.0.2.1', '64:ff9b:0:0'],
  ['unknown', 'unknown'],
  ['anything else', 'unknown'],
])('the client at %s is known by the network %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})
