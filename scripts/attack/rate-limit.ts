import { needsOwn, needsSeveralClients, outcome, skipped, type Attack, type Setting } from './attempt.ts'
import type { Client } from './client.ts'

/** Sends requests, eight at a time, until one gets a 429. @returns their number, and whether one did */
async function untilLimited(
  ask: (number: number) => Promise<number>,
  most: number,
): Promise<{ readonly made: number; readonly isLimited: boolean }> {
  let made = 0
  let isLimited = false
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      while (made < most && !isLimited) {
        if ((await ask(made++)) === 429) isLimited = true
      }
    }),
  )
  return { made, isLimited }
}

/** The instance's limit of requests per minute; undefined without a limit. */
async function limitOf(client: Client): Promise<number | undefined> {
  const { headers } = await client.ask('/api/stats')
  const limit = Number(headers['ratelimit-limit'])
  return limit > 0 ? limit : undefined
}

const noLimit = skipped('the instance has no rate limit (--rate-limit)')

/** An attack on the rate limit: three times the requests that it allows in a minute. */
function beyondTheLimit(
  facts: Pick<Attack, 'name' | 'wants'>,
  did: string,
  ask: (client: Client, number: number, setting: Setting) => Promise<number>,
  clientOf: (setting: Setting) => Client = (setting) => setting.client(),
): Attack {
  return {
    ...facts,
    kind: 'requests',
    async run(setting) {
      const limit = await limitOf(setting.client())
      if (limit === undefined) return noLimit
      const client = clientOf(setting)
      const { made, isLimited } = await untilLimited((number) => ask(client, number, setting), limit * 3)
      return outcome(
        `${made} ${did}, where ${limit} requests a minute are allowed`,
        isLimited ? 'a 429' : 'none was refused',
        isLimited,
      )
    },
  }
}

const malformed = ['/api/%ZZ', '/api/waypoints/%E0%A4', '/api/%', '/api/waypoints?q=%FF%']

const malformedPaths = beyondTheLimit(
  { name: 'malformed-paths', wants: 'to send any number of requests past the rate limit' },
  'requests with bad percent-encoding',
  (client, number) => client.statusOf(malformed[number % 3] ?? '/api/%'),
)

const forwardedAddresses = beyondTheLimit(
  { name: 'forwarded-addresses', wants: 'to be taken for another client with every request' },
  'requests with an X-Forwarded-For of their own',
  (client, number) =>
    client.statusOf('/api/nowhere', {
      headers: { 'x-forwarded-for': `198.51.${number % 200}.${number % 250}` },
    }),
)

const forwardedPorts: Attack = {
  name: 'forwarded-ports',
  kind: 'requests',
  wants: 'to be taken for another client with every port, where the proxy forwards ports',
  async run(setting) {
    const { own, hasSeveralClients } = setting
    if (own === undefined) return needsOwn
    if (!hasSeveralClients) return needsSeveralClients
    return beyondTheLimit(
      forwardedPorts,
      'requests through the proxy, each from another port',
      (client, number) =>
        client.statusOf('/api/nowhere', { headers: { 'x-forwarded-for': `192.0.2.1:${1024 + number}` } }),
      () => setting.client(own.proxy),
    ).run(setting)
  },
}

export const rateLimit: readonly Attack[] = [malformedPaths, forwardedAddresses, forwardedPorts]
