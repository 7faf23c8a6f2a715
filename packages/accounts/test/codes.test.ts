import { RegistryError } from '@openfountain/core'
import { describe, expect, test } from 'vitest'
import { codesOf, stage } from '@openfountain/testing/accounts/stage'
import { sharedDatabase } from '@openfountain/testing/database'
import { mailServer } from '@openfountain/testing/accounts/mail-server'

const from = 'fountains@example.org'

async function mailStage(options: Parameters<typeof stage>[0] = {}) {
  const server = await mailServer()
  const made = await stage({ registration: 'open', mail: { smtp: server.url, from }, ...options })
  return { ...made, server, codes: codesOf(made) }
}

const address = (name: string) => ({ key: `mailto:${name}`, provider: 'email', label: name })

const wrong = (code: string): string => (code === '00000000' ? '00000001' : '00000000')

async function asked(options: Parameters<typeof stage>[0] = {}) {
  const made = await mailStage(options)
  const { browser } = await made.codes.send('ada@example.org')
  const { code } = await made.server.next('ada@example.org')
  return { ...made, browser, code, given: { email: 'ada@example.org', code, name: 'Ada' } }
}

const unauthorized = { code: 'UNAUTHORIZED' }

describe('a code by mail', () => {
  test('signs up somebody new where registration is open, once, and signs them in later without a name', async () => {
    const { registry, codes, server } = await mailStage()
    const { browser } = await codes.send('Ada@Example.org')
    const { code } = await server.next('Ada@example.org')
    const given = { email: 'ada@example.org', code: `${code.slice(0, 4)} ${code.slice(4)}` }
    await expect(codes.signIn(browser, given)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      details: { issues: [{ path: 'name' }] },
    })
    const signedIn = await codes.signIn(browser, { ...given, name: 'Ada' }, 'Firefox on Linux')
    expect(signedIn).toMatchObject({ userId: 'u1', isNew: true })
    expect(await registry.sessions.resolve(signedIn.session)).toMatchObject({ userId: 'u1' })
    expect(await registry.accounts.identities('u1')).toMatchObject([
      { provider: 'email', label: 'ada@example.org' },
    ])
    await expect(codes.signIn(browser, given)).rejects.toMatchObject(unauthorized)

    const again = await codes.send(' ADA@example.ORG ')
    const next = { email: 'ada@example.org', code: (await server.next('ADA@example.org')).code }
    expect(await codes.signIn(again.browser, next)).toMatchObject({ userId: 'u1', isNew: false })
  })

  test('is gone after five wrong tries in the browser that asked, and after ten minutes', async () => {
    const { codes, browser, code, given, server, clock } = await asked()
    for (const triesLeft of [4, 3, 2, 1, 0])
      await expect(codes.signIn(browser, { ...given, code: wrong(code) })).rejects.toMatchObject({
        code: 'UNAUTHORIZED',
        details: { triesLeft },
      })
    await expect(codes.signIn(browser, given)).rejects.toMatchObject({ code: 'UNAUTHORIZED', details: {} })
    const next = await codes.send('ada@example.org')
    const late = { ...given, code: (await server.next('ada@example.org')).code }
    clock.advance({ minutes: 10 })
    await expect(codes.signIn(next.browser, late)).rejects.toMatchObject(unauthorized)
  })

  test('cannot be guessed from elsewhere: a thousand parallel guesses take no try from the browser that asked', async () => {
    const { codes, browser, code, given } = await asked()
    const stranger = await codes.send('ada@example.org')
    const guesses = await Promise.allSettled(
      Array.from({ length: 1000 }, (_, index) =>
        codes.signIn(index % 2 === 0 ? stranger.browser : `ofb_${index}`, { ...given, code: wrong(code) }),
      ),
    )
    expect(guesses.filter(({ status }) => status === 'fulfilled')).toEqual([])
    expect(await codes.signIn(browser, given)).toMatchObject({ isNew: true })
  })

  test('adds an address to the account that asked, and only to that', async () => {
    const { registry, codes, server } = await mailStage({ registration: 'invite' })
    const ada = await registry.users.create({ name: 'Ada' })
    const eve = await registry.users.create({ name: 'Eve' })
    const { browser } = await codes.send('ada@example.org', { userId: ada.id })
    const { code } = await server.next('ada@example.org')
    const given = { email: 'ada@example.org', code }
    await expect(codes.add(eve.id, browser, given)).rejects.toMatchObject(unauthorized)
    await expect(codes.signIn(browser, given)).rejects.toMatchObject(unauthorized)
    await codes.add(ada.id, browser, given)
    expect(await registry.accounts.identities(ada.id)).toMatchObject([{ provider: 'email' }])

    // The address is Ada's now; a sign-in code adds nothing.
    for (const [userId, refusal] of [
      [eve.id, { code: 'CONFLICT' }],
      [undefined, unauthorized],
    ] as const) {
      const sentCode = await codes.send('ada@example.org', { userId })
      const next = { email: 'ada@example.org', code: (await server.next('ada@example.org')).code }
      await expect(codes.add(eve.id, sentCode.browser, next)).rejects.toMatchObject(refusal)
    }
  })

  test('that is malformed is refused by its field', async () => {
    const { codes, browser } = await asked()
    for (const [path, given] of [
      ['email', { email: 'ada', code: '12345678' }],
      ['email', { email: undefined, code: '12345678' }],
      ['code', { email: 'ada@example.org', code: '1234567' }],
      ['code', { email: 'ada@example.org', code: 12_345_678 }],
      ['code', { email: 'ada@example.org', code: '١٢٣٤٥٦٧٨' }],
      ['name', { email: 'ada@example.org', code: '12345678', name: 7 }],
    ] as const)
      await expect(codes.signIn(browser, given)).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        details: { issues: [{ path }] },
      })
  })
})

test('two servers on one database end each other’s codes, each of them once, and count what the other sends', async () => {
  const database = await sharedDatabase()
  const { url: smtp, next } = await mailServer()
  const open = (ids: () => string) => stage({ registration: 'open', mail: { smtp, from } }, { database, ids })
  const [here, there] = [codesOf(await open(() => 'of here')), codesOf(await open(() => 'of there'))]
  const email = 'grace@example.org'
  const { browser } = await there.send(email)
  const { code } = await next(email)
  for (let time = 1; time < 5; time++) await there.send(email)
  await expect(here.send(email)).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  const both = [here, there].map((each) => each.signIn(browser, { email, code, name: 'Grace' }))
  const ended = await Promise.allSettled(both)
  expect(ended.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
})

describe('whether an address is known', () => {
  test('is not told: the response, what is kept and the refusals are alike, and only the known one gets a mail', async () => {
    const { registry, codes, server, ways } = await mailStage({ registration: 'invite' })
    const ada = await registry.users.create({ name: 'Ada' })
    await registry.accounts.addIdentity(ada.id, address('ada@example.org'))
    const known = await codes.send('ada@example.org')
    const unknown = await codes.send('eve@example.org')
    expect(Object.keys(unknown)).toEqual(Object.keys(known))
    expect(unknown.browser).toHaveLength(known.browser.length)
    const refusal = (browser: string, email: string) =>
      codes.signIn(browser, { email, code: '00000000' }).catch((error: unknown) => error)
    expect((await server.next('ada@example.org')).code).not.toBe('00000000')
    const first = await refusal(known.browser, 'ada@example.org')
    expect(await refusal(unknown.browser, 'eve@example.org')).toEqual(first)
    await ways.close()
    expect(server.mails.map(({ to }) => to)).toEqual([['ada@example.org']])
  })

  test('is looked up only after the response', async () => {
    const { registry, codes } = await mailStage({ registration: 'invite' })
    const order: string[] = []
    const { isKnown } = registry.accounts
    registry.accounts.isKnown = async (key) => {
      order.push('looked up')
      return isKnown.call(registry.accounts, key)
    }
    await codes.send('ada@example.org')
    order.push('responded')
    await expect.poll(() => order).toEqual(['responded', 'looked up'])
  })
})

describe('mails', () => {
  const spellings = [
    'ada@example.org',
    'ADA@e\u034fxample.org',
    'ada@ｅｘａｍｐｌｅ.ｏｒｇ',
    'ada@example。org',
  ]

  test('go to one address five times in ten minutes for one network at most, twenty times an hour for all', async () => {
    const { codes, server, ways, clock } = await mailStage()
    const sent = (network: number, times: number) =>
      Promise.allSettled(
        Array.from({ length: times }, (_, time) =>
          codes.send(spellings[time % spellings.length], { network: `198.51.${network}.0/24` }),
        ),
      )
    const kept = async (...asked: ReturnType<typeof sent>[]) =>
      (await Promise.all(asked)).flat().filter(({ status }) => status === 'fulfilled').length
    expect(await kept(sent(1, 8))).toBe(5)
    expect(await kept(sent(2, 8), sent(3, 8), sent(4, 8), sent(5, 8))).toBe(15)
    await expect(codes.send('ada@example.org', { network: 'another' })).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      details: { limit: 20, windowSeconds: 3600, retryAfterSeconds: 180 },
    })
    await codes.send('grace@example.org', { network: '198.51.1.0/24' })
    clock.advance({ minutes: 60 })
    await codes.send('ada@example.org', { network: '198.51.1.0/24' })
    await ways.close()
    expect(server.mails.map(({ to: [to] }) => to?.toLowerCase()).toSorted()).toEqual([
      ...Array.from({ length: 21 }, () => 'ada@example.org'),
      'grace@example.org',
    ])
  })

  test('bring fifty wrong tries a day for one address at most, and lock its owner out of no other way', async () => {
    const { registry, codes, clock } = await mailStage()
    const ada = await registry.users.create({ name: 'Ada' })
    await registry.accounts.addIdentity(ada.id, address('ada@example.org'))
    let judged = 0
    for (let hour = 0; hour < 3; hour++) {
      for (let asked = 0; asked < 8; asked++) {
        const email = spellings[asked % spellings.length]
        const sent = await codes.send(email, { network: `net ${asked}` }).catch(() => undefined)
        if (sent === undefined) continue
        for (let time = 0; time < 5; time++)
          await codes.signIn(sent.browser, { email, code: `0000000${time}` }).catch((error: unknown) => {
            if (error instanceof RegistryError && 'triesLeft' in error.details) judged++
          })
      }
      clock.advance({ minutes: 1 })
    }
    expect(judged).toBe(50)
    await expect(codes.send('ada@example.org')).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      message: expect.stringContaining('sign in in another way'),
    })
    const { secret } = await registry.accounts.link(ada.id)
    expect(await registry.accounts.redeemLink(secret)).toMatchObject({ userId: ada.id })
  })

  test('tell the owner, at each address that was verified before, what was added and removed', async () => {
    const { registry, ways, server } = await mailStage()
    const { id } = await registry.users.create({ name: 'Ada' })
    await registry.personalTokens.create(id, { name: 'nobody hears of' })
    await registry.accounts.addIdentity(id, address('ada@example.org'))
    await registry.accounts.addIdentity(id, address('post@example.org'))
    const [first] = await registry.accounts.identities(id)
    await expect.poll(() => server.mails.length).toBe(1)
    await registry.accounts.removeIdentity(id, first?.id ?? 0)
    await expect.poll(() => server.mails.length).toBe(3)
    await registry.personalTokens.create(id, { name: 'map\nhttp://evil.example' })
    await ways.close()
    const contents = server.mails.map(({ to, headers, text }) => {
      expect(headers.get('subject')).toBe('Your account at Fountains of Lund was changed')
      expect(text).toContain('\nhttp://localhost:3000/account/\n')
      return `${to.join(' ')}: ${/account at Fountains of Lund:\s+(.*)/u.exec(text)?.[1]}`
    })
    expect(contents.toSorted()).toEqual([
      'ada@example.org: Address: ada@example.org',
      'ada@example.org: Address: post@example.org',
      'post@example.org: Address: ada@example.org',
      'post@example.org: Personal token: map http://evil.example',
    ])
  })

  async function refusing(
    refuse: Readonly<Record<string, { readonly code: number; readonly text: string }[]>>,
    retryAfterMs: readonly number[],
  ) {
    const server = await mailServer({ refuse })
    const made = await stage({ registration: 'open', mail: { smtp: server.url, from, retryAfterMs } })
    return { ...made, server, codes: codesOf(made) }
  }

  test('are sent again when the server refuses them for now, and given up when it refuses them for good', async () => {
    const refuse = {
      'ada@example.org': [{ code: 451, text: 'ada@example.org is busy' }],
      'grace@example.org': [{ code: 550, text: 'no such person grace@example.org' }],
    }
    const { codes, server, failures } = await refusing(refuse, [1, 1])
    for (const email of Object.keys(refuse)) await codes.send(email)
    await server.next('ada@example.org')
    await expect.poll(() => failures).toEqual([{ part: 'mail', reason: 'EMESSAGE 550' }])
  })

  test('that would be sent again are given up, and reported, when the program ends', async () => {
    const refuse = { 'ada@example.org': [{ code: 451, text: 'later' }] }
    const { codes, server, failures, ways } = await refusing(refuse, [3_600_000])
    await codes.send('ada@example.org')
    await expect.poll(() => refuse['ada@example.org']).toEqual([])
    await ways.close()
    expect(failures).toMatchObject([{ part: 'mail' }])
    await codes.send('ada@example.org')
    await expect.poll(() => failures.at(-1)).toEqual({ part: 'mail', reason: 'CLOSED' })
    expect(server.mails).toEqual([])
  })

  test('are not sent where no server is, or without TLS beyond this machine, unless that is allowed; which is reported without secrets', async () => {
    const server = await mailServer()
    // This machine, but not by one of the known loopback names.
    const elsewhere = `smtp://0.0.0.0:${new URL(server.url).port}`
    for (const [smtp, reason] of [
      ['smtp://user:pass@127.0.0.1:1', 'ESOCKET'],
      [elsewhere, 'ETLS 500'],
    ] as const) {
      const made = await stage({ registration: 'open', mail: { smtp, from, retryAfterMs: [] } })
      await codesOf(made).send('ada@example.org')
      await expect.poll(() => made.failures).toEqual([{ part: 'mail', reason }])
    }
    expect(server.mails).toEqual([])
    const without = await stage({ registration: 'open', mail: { smtp: `${elsewhere}?tls=off`, from } })
    expect(without.ways.warnings()).toEqual([{ code: 'mailWithoutTls', host: '0.0.0.0' }])
    await codesOf(without).send('ada@example.org')
    await server.next('ada@example.org')
  })
})
