import path from 'node:path'
import { openRegistry, type Registry } from '@openfountain/core'
import { outcome, type Attack, type Outcome } from './attempt.ts'
import { startServing } from './program.ts'

/** Attacks on accounts: guessed codes and stolen sessions. */

const email = 'ada@example.org'
const origin = 'https://fountains.example'
const past = 11 * 60_000

interface Answer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
  readonly cookie: string
}

/** Sends a request with a proxy's forwarded address. */
async function send(
  url: URL,
  [method, address]: readonly [string, string],
  { body, cookie = '', from = '192.0.2.1' }: { body?: object; cookie?: string; from?: string } = {},
): Promise<Answer> {
  const response = await fetch(new URL(address, url), {
    method,
    headers: { origin, cookie, 'content-type': 'application/json', 'x-forwarded-for': from },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const [given = ''] = response.headers.getSetCookie()
  return {
    status: response.status,
    body: text === '' ? {} : (JSON.parse(text) as Answer['body']),
    cookie: given.split(';')[0] ?? '',
  }
}

/** The target: two servers of one registry, in which Ada has a verified address. */
interface Target {
  readonly servers: readonly [URL, URL]
  readonly ada: string
  readonly registry: Registry
}

const signingIn = (
  facts: Pick<Attack, 'name' | 'wants'>,
  run: (target: Target) => Promise<Outcome>,
): Attack => ({
  ...facts,
  kind: 'sign-in',
  async run({ folder }) {
    const database = path.join(folder, 'accounts.db')
    await using registry = await openRegistry({ database, clock: () => new Date(Date.now() - past) })
    const { id: ada } = await registry.users.create({ name: 'Ada' })
    await registry.accounts.addIdentity(ada, { key: `mailto:${email}`, provider: 'email', label: email })
    // The mail server is unreachable, and codes are stored all the same.
    const options = { db: database, 'public-url': origin, smtp: 'smtp://127.0.0.1:1', 'mail-from': email }
    const words = Object.entries({ ...options, 'trust-proxy': '127.0.0.1' })
    const serve = () =>
      startServing(
        words.flatMap(([name, value]) => [`--${name}`, value]),
        folder,
      )
    const [one, other] = await Promise.all([serve(), serve()])
    try {
      return await run({ servers: [one.url, other.url], ada, registry })
    } finally {
      await Promise.all([one.stop(), other.stop()])
    }
  },
})

/** Spellings of one address. */
const spellings = Array.from({ length: 40 }, (_, number) => {
  const host = ['example.org', 'e\u034Fxample.org', 'ｅxample.org', 'example。org', 'EXAMPLE.org'][number % 5]
  return `${number % 2 === 0 ? 'ada' : 'Ada'}@${host}${number > 9 ? ' '.repeat(number) : ''}`
})

const guessedCodes = signingIn(
  {
    name: 'guessed-codes',
    wants:
      'to guess the code of somebody by many spellings of the address, at several servers, or to lock them out',
  },
  async ({ servers, ada, registry }) => {
    const [url] = servers
    let codes = 0
    let judged = 0
    for (const [number, spelling] of spellings.entries()) {
      const to = servers[number % 2] ?? url
      const from = `198.51.${number}.1`
      const asked = await send(to, ['POST', '/api/auth/codes'], { body: { email: spelling }, from })
      if (asked.status !== 202) continue
      codes++
      for (let guess = 0; guess < 5; guess++) {
        const body = { email: spelling, code: String(10_000_000 + number * 5 + guess) }
        const reply = await send(to, ['POST', '/api/auth/codes/redeem'], { body, cookie: asked.cookie, from })
        if (JSON.stringify(reply.body).includes('triesLeft')) judged++
      }
    }
    const { secret } = await registry.accounts.link(ada)
    const owner = await send(url, ['POST', '/api/auth/links/redeem'], { body: { secret } })
    return outcome(
      `asked two servers for codes with ${spellings.length} spellings of one address, and guessed five times with each`,
      `${codes} codes, ${judged} guesses were judged; the owner signed in by a link: ${owner.status}`,
      codes <= 20 && judged <= 50 && owner.status === 200,
    )
  },
)

const stolenSession = signingIn(
  {
    name: 'stolen-session',
    wants: 'to make a session that was stolen into a way in that stays, or to take all data away with it',
  },
  async ({ servers: [url], ada, registry }) => {
    const { session } = await registry.sessions.create(ada)
    const cookie = `session=${session}`
    const token = await send(url, ['POST', '/api/user/tokens'], { body: { name: 'Stays' }, cookie })
    const data = await send(url, ['GET', '/api/user/export'], { cookie })
    const own = await send(url, ['GET', '/api/user'], { cookie })
    const others = await send(url, ['GET', `/api/users/${ada}`])
    const { secret } = await registry.accounts.link(ada)
    const owner = await send(url, ['POST', '/api/auth/links/redeem'], { body: { secret } })
    const after = await send(url, ['GET', '/api/user'], { cookie })
    const statuses = [token, data, owner, after].map(({ status }) => status)
    const isShown = [own, others].map(({ body }) => JSON.stringify(body).includes(email))
    return outcome(
      'asked for a token and all data with a session of eleven minutes, then its owner used a link for recovery',
      `${statuses.join(', ')}; the address is ${isShown[1] === true ? '' : 'not '}shown to others`,
      statuses.join() === '403,403,200,401' && isShown.join() === 'true,false',
    )
  },
)

export const signingInAttacks: readonly Attack[] = [guessedCodes, stolenSession]
