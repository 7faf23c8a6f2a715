import { token, user } from '@openfountain/core'
import { following } from '@openfountain/core/rules'
import { codesOf, stage } from '@openfountain/testing/accounts/stage'
import { mailServer } from '@openfountain/testing/accounts/mail-server'
import { placed, square } from '@openfountain/testing/registry'
import { createAccounts } from '@openfountain/accounts'
import { createApp } from '@openfountain/server'
import { expect, test } from 'vitest'
import { Deliveries, Sender } from '../src/index.ts'

const sender = new Sender({ key: () => 'k'.repeat(32) })
const origin = 'https://fountains.example'

async function mailing(options: Parameters<typeof mailServer>[0] = {}) {
  const server = await mailServer(options)
  const mail = { smtp: server.url, from: 'fountains@example.org', key: 'k'.repeat(32) }
  const made = await stage({ publicUrl: origin, registration: 'open', mail })
  const { registry, ways, clock } = made
  const codes = codesOf(made)
  const person = async (name: string) => {
    const email = `${name.toLowerCase()}@example.org`
    const { browser } = await codes.send(email)
    const { code } = await server.next(email)
    return (await codes.signIn(browser, { email, code, name })).userId
  }
  const telling = () =>
    new Deliveries(registry, sender, {
      mailDigest: ways.mailDigest,
      onFailure: (error) => expect(error).toBeUndefined(),
    })
  const deliveries = telling()
  const ada = await person('Ada')
  const { id } = await placed(registry)
  await deliveries.tellFollowers()
  const edited = async (name: string) => {
    await registry.waypoints.update(id, { name }, token())
    await deliveries.tellFollowers()
  }
  const digests = () => server.mails.filter((mail) => mail.headers.has('list-unsubscribe'))
  const mailed = async () => {
    await deliveries.mail()
    return digests().length
  }
  const app = createApp(registry, { accounts: ways, publicUrl: origin })
  const ask = (method: string, link: string, headers = {}) =>
    app.fetch(
      new Request(link, {
        method,
        headers,
        ...(method === 'POST' && { body: 'List-Unsubscribe=One-Click' }),
      }),
    )
  return { ...made, server, mail, clock, person, telling, deliveries, ada, id, edited, digests, mailed, ask }
}

const linkOf = (mail: { readonly headers: ReadonlyMap<string, string> } | undefined): string =>
  (mail?.headers.get('list-unsubscribe') ?? '').replaceAll(/[<>]/gu, '')

test('what happened is mailed at once, and then at most once an hour, with all since the last mail', async () => {
  const { registry, clock, ada, id, edited, digests, mailed } = await mailing()
  await edited('Before')
  await registry.follows.create(ada, { what: { bubblerId: id }, by: ['web', 'mail'], rhythm: 'at-once' })
  expect(await mailed()).toBe(0)
  await edited('First')
  expect(await mailed()).toBe(1)
  await edited('Second')
  await edited('Third <b>')
  expect(await mailed()).toBe(1)
  clock.advance({ minutes: following.mailMinutes['at-once'] - 1 })
  expect(await mailed()).toBe(1)
  clock.advance({ minutes: 1 })
  expect(await mailed()).toBe(2)
  expect(await mailed()).toBe(2)
  const [first, second] = digests()
  expect(first?.to).toEqual(['ada@example.org'])
  expect(first?.source.indexOf('text/plain')).toBeLessThan(first?.source.indexOf('text/html') ?? 0)
  expect(first?.text).toContain(`* Edited: First\n  2026-01-01 · a program\n  ${origin}/?fountain=${id}\n`)
  expect(second?.text.match(/^\* Edited/gmu)).toHaveLength(2)
  expect(second?.html).toContain('Third &lt;b&gt;')
  expect(second?.headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
  expect(first?.headers.get('message-id')).not.toBe(second?.headers.get('message-id'))
})

test.each(['daily', 'weekly'] as const)(
  'a %s mail has all that one follows in that rhythm',
  async (rhythm) => {
    const { registry, clock, ada, id, edited, digests, mailed } = await mailing()
    const by = ['web', 'mail'] as ['web', 'mail']
    await registry.follows.create(ada, { what: { bubblerId: id }, by, rhythm }, { language: 'de-AT' })
    await registry.follows.create(ada, { what: { mine: true }, by, rhythm }, { language: 'de-AT' })
    await edited('Brunnen')
    clock.advance({ minutes: following.mailMinutes[rhythm] - 1 })
    expect(await mailed()).toBe(0)
    clock.advance({ minutes: 1 })
    expect(await mailed()).toBe(1)
    const [mail] = digests()
    expect(mail?.headers.get('content-language')).toBe('de')
    expect(mail?.text).toContain('* Bearbeitet: Brunnen')
    expect((await registry.follows.list(ada)).map((each) => [each.by, each.rhythm])).toEqual([
      [['web', 'mail'], rhythm],
      [['web', 'mail'], rhythm],
    ])
  },
)

test('a keeper follows what they keep, and is mailed once a week what happened to those fountains alone', async () => {
  const { registry, clock, ada, id, deliveries, digests, mailed } = await mailing()
  const other = await placed(registry, { latitude: 55.8, name: 'Elsewhere' })
  const maintainer = 'City of Lund'
  await registry.waypoints.update(id, { maintainer, name: 'Kept' }, token())
  await registry.users.setKeeper(ada, { maintainer }, true)
  for (const what of (await registry.users.profile(ada)).keeps ?? [])
    await registry.follows.create(ada, { what, by: ['web', 'mail'], rhythm: 'weekly' })
  for (const bubblerId of [id, other.id])
    await registry.observations.create({ bubblerId, kind: 'broken' }, token())
  await deliveries.tellFollowers()
  clock.advance({ minutes: following.mailMinutes.weekly })
  expect(await mailed()).toBe(1)
  const [mail] = digests()
  expect(mail?.text).toContain('Kept\n')
  expect(mail?.text).not.toContain('Elsewhere')
})

test('one click in a mail of a year ago ends that mail alone; a program that opens the link ends nothing', async () => {
  const { registry, clock, ada, id, edited, digests, mailed, mail, ask } = await mailing()
  const by = ['web', 'mail'] as ['web', 'mail']
  await registry.follows.create(ada, { what: { bubblerId: id }, by, rhythm: 'at-once' })
  await registry.follows.create(ada, { what: { mine: true }, by, rhythm: 'weekly' })
  await edited('First')
  await mailed()
  const link = linkOf(digests()[0])
  clock.advance({ minutes: 366 * 24 * 60 })
  const page = await ask('GET', link, { 'accept-language': 'fr' })
  expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'no-store'])
  expect(page.headers.get('referrer-policy')).toBe('no-referrer')
  expect(await page.text()).toContain('<form method="post">')
  await edited('Second')
  expect(await mailed()).toBe(2)
  for (let index = 0; index < 2; index++) expect((await ask('POST', link)).status).toBe(200)
  clock.advance({ minutes: 60 })
  await edited('Third')
  expect(await mailed()).toBe(2)
  const follows = await registry.follows.list(ada)
  expect(follows.map((each) => [each.id === 'mine', each.by])).toEqual([
    [true, by],
    [false, ['web']],
  ])
  const bent = new URL(link)
  bent.searchParams.set('token', `${bent.searchParams.get('token')}0`)
  for (const method of ['GET', 'POST']) expect((await ask(method, bent.href)).status).toBe(404)
  const other = createAccounts(registry, { publicUrl: origin, mail: { ...mail, key: 'j'.repeat(32) } })
  expect(other.mailEnding?.read(new URL(link).searchParams.get('token') ?? '')).toBeUndefined()
  await other.close()
  expect((await registry.follows.notifications(ada)).notifications).toHaveLength(3)
})

test('mail needs a verified address, and goes to none that was taken away or left', async () => {
  const { registry, ada, id, edited, mailed, person } = await mailing()
  const eve = (await registry.users.create({ name: 'Eve', email: 'eve@example.org' })).id
  const input = { what: { bubblerId: id }, by: ['web', 'mail'], rhythm: 'at-once' } as const
  const given = { ...input, by: [...input.by] }
  await expect(registry.follows.create(eve, given)).rejects.toThrow('needs an address')
  await expect(registry.follows.create(ada, { ...given, by: ['mail'] })).rejects.toThrow('must have web')
  const ben = await person('Ben')
  await registry.follows.create(ben, given)
  await registry.follows.create(ada, given)
  await registry.accounts.leave(ben, { confirm: 'Ben', texts: 'keep' })
  await edited('First')
  expect(await mailed()).toBe(1)
})

test('a mail refused for now comes later, one refused for good does not, and without a server nothing is lost', async () => {
  const refuse = {
    'ada@example.org': [] as { code: number; text: string }[],
    'ben@example.org': [] as { code: number; text: string }[],
  }
  const { registry, clock, ada, id, edited, digests, deliveries, person, failures } = await mailing({
    refuse,
  })
  const ben = await person('Ben')
  const given = () => ({
    what: { bubblerId: id },
    by: ['web' as const, 'mail' as const],
    rhythm: 'at-once' as const,
  })
  await registry.follows.create(ada, given())
  await registry.follows.create(ben, given())
  refuse['ada@example.org'].push({ code: 451, text: 'later' })
  refuse['ben@example.org'].push({ code: 550, text: 'never' })
  await edited('First')
  await deliveries.mail()
  expect(digests()).toHaveLength(0)
  expect(failures.map(({ part }) => part)).toEqual(['mail', 'mail'])
  clock.advance({ minutes: 60 })
  await deliveries.mail()
  expect(digests().map(({ to }) => to)).toEqual([['ada@example.org']])
})

test('a mail waits for a server that is away, and lists the newest events where there are many', async () => {
  const { registry, ways, ada, id, digests, deliveries, clock } = await mailing()
  await registry.follows.create(ada, { what: { bubblerId: id }, by: ['web', 'mail'], rhythm: 'at-once' })
  for (let index = 0; index <= following.mailed; index++)
    await registry.waypoints.update(id, { name: `Name ${index}` }, token())
  await deliveries.tellFollowers()
  await deliveries.stop()
  const asked: string[] = []
  const away = new Deliveries(registry, sender, {
    mailDigest: (digest) => Promise.resolve(asked.push(digest.id)).then(() => 'unreachable'),
  })
  await away.mail()
  await away.stop()
  const other = new Deliveries(registry, sender, { mailDigest: ways.mailDigest })
  await other.mail()
  expect([asked.length, digests().length]).toEqual([1, 1])
  expect(digests()[0]?.text).toContain('More has happened.')
  expect(digests()[0]?.text.match(/^\* /gmu)).toHaveLength(following.mailed)
  clock.advance({ minutes: 60 })
  await other.mail()
  expect(digests()).toHaveLength(1)
  await other.stop()
})

test('what was decided of a report is mailed with what one added, once', async () => {
  const { registry, clock, ada, id, digests, mailed } = await mailing()
  const by = ['web', 'mail'] as ['web', 'mail']
  await registry.follows.create(ada, { what: { mine: true }, by, rhythm: 'daily' }, { language: 'fr' })
  const report = await registry.reports.create({ bubblerId: id, reason: 'gone' }, user(ada))
  clock.advance({ minutes: following.mailMinutes.daily })
  expect(await mailed()).toBe(0)
  await registry.reports.decide(report, { state: 'done' }, token())
  expect([await mailed(), await mailed()]).toEqual([1, 1])
  expect(digests()[0]?.text).toContain(
    `* Ton signalement\u00A0: c’est réglé\n  2026-01-01 – 2026-01-02\n  ${origin}/following/\n`,
  )
  clock.advance({ minutes: following.mailMinutes.daily })
  expect(await mailed()).toBe(1)
})

test('moderators get a mail of what waits for them, as long as something does and they are moderators', async () => {
  const { registry, clock, ada, id: first, digests, mailed } = await mailing()
  await registry.waypoints.update(first, { approved: true }, token())
  const queue = { what: { queue: true as const }, by: ['web' as const, 'mail' as const] }
  await expect(registry.follows.create(ada, queue)).rejects.toMatchObject({ code: 'FORBIDDEN' })
  await registry.users.setModerator(ada, true)
  await expect(registry.follows.create(ada, { ...queue, rhythm: 'at-once' })).rejects.toThrow(
    'daily or weekly',
  )
  await expect(registry.follows.create(ada, { what: queue.what })).rejects.toThrow('must have mail')
  await registry.follows.create(ada, queue, { language: 'fr' })
  const eve = (await registry.users.create({ name: 'Eve', xp: 100 })).id
  const { id } = await registry.waypoints.create({ ...square, latitude: 56 }, user(eve))
  clock.advance({ minutes: following.mailMinutes.daily })
  expect([await mailed(), await mailed()]).toEqual([1, 1])
  expect(digests()[0]?.text).toContain(
    'En attente de modération : 1\nhttps://fountains.example/moderation/\n',
  )
  expect(digests()[0]?.text).not.toContain('*')
  clock.advance({ minutes: following.mailMinutes.daily })
  expect(await mailed()).toBe(2)
  expect(digests()[1]?.headers.get('message-id')).not.toBe(digests()[0]?.headers.get('message-id'))
  await registry.waypoints.update(id, { approved: true }, token())
  clock.advance({ minutes: following.mailMinutes.daily })
  expect(await mailed()).toBe(2)
  await registry.waypoints.update(id, { approved: false }, token())
  await registry.users.setModerator(ada, false)
  expect(await mailed()).toBe(2)
})
