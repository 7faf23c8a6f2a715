import { readdir, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { workplace } from '@openfountain/testing/command/shell'

const Link = z.strictObject({
  link: z.string(),
  secret: z.string().regex(/^ofl_[\w-]{43}$/u),
  expiresAt: z.iso.datetime(),
})

test('an invitation makes an account of the name and the role that it says, or leaves the name to them', async () => {
  const { answer, registry } = await workplace()
  const env = { OPENFOUNTAIN_PUBLIC_URL: 'https://fountains.example/' }
  const { link, secret } = await answer(Link, 'user invite --name Ada --moderator', { env })
  expect(link).toBe(`https://fountains.example/sign-in/#${secret}`)
  const { secret: bare } = await answer(Link, 'user invite --xp 30')
  await registry(async ({ accounts, users }) => {
    const { userId, isNew } = await accounts.redeemLink(secret)
    expect(isNew).toBe(true)
    expect(await users.profile(userId)).toMatchObject({ name: 'Ada', isModerator: true })
    await expect(accounts.redeemLink(secret)).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
    await expect(accounts.redeemLink(bare)).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    const grace = await accounts.redeemLink(bare, { name: 'Grace' })
    expect(await users.profile(grace.userId)).toMatchObject({ name: 'Grace', isModerator: false, xp: 30 })
  })
})

test('the link alone is on standard output, and no file holds its secret', async () => {
  const { at, cwd, registry, run } = await workplace()
  await registry(({ users }) => users.create({ id: 'ada', name: 'Ada' }))
  const { code, stdout, stderr } = await run('user link --user ada --site-base /map', {
    env: { OPENFOUNTAIN_SECURITY_LOG: 'security.log' },
  })
  expect(code).toBe(0)
  const [, secret = ''] = /^http:\/\/localhost:3000\/map\/sign-in\/#(ofl_[\w-]{43})\n$/u.exec(stdout) ?? []
  expect(stderr).toMatch(/shown only this once[^]*--public-url URL or OPENFOUNTAIN_PUBLIC_URL/u)
  expect(stderr).not.toContain('ofl_')
  const files = await readdir(cwd)
  expect(files).toContain('security.log')
  for (const file of files) expect((await readFile(at(file))).includes(secret.slice(4))).toBe(false)
  await registry(async ({ accounts }) =>
    expect(await accounts.redeemLink(secret)).toMatchObject({ userId: 'ada', isNew: false }),
  )
  expect(JSON.parse(await readFile(at('security.log'), 'utf8'))).toEqual({
    time: expect.any(String),
    event: 'link.created',
    user: 'ada',
    until: expect.any(String),
  })
})

test('an address that is none is refused before a link is made, without repeating a password in it', async () => {
  const { cwd, run } = await workplace()
  for (const address of ['ftp://fountains.example', 'https://ada:pass@fountains.example']) {
    const { code, stdout, stderr } = await run(`user invite --public-url ${address}`)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('write it as https://host')
    expect(stderr).not.toContain('pass')
  }
  expect(await readdir(cwd)).toEqual([])
})

test('the devices on which a user is signed in are listed with their last use, not those of others', async () => {
  const { json, registry, run } = await workplace()
  const { session, ...listed } = await registry(async ({ sessions, users }) => {
    for (const id of ['ada', 'grace']) await users.create({ id, name: id })
    await sessions.create('grace', { device: 'Safari on iPhone' })
    return sessions.create('ada', { device: 'Firefox on Linux' })
  })
  expect(await json('user sessions --user ada')).toEqual({ sessions: [listed] })
  const { stdout } = await run('user sessions --user ada')
  expect(stdout).toMatch(/^ID +USER +CREATED +LAST USED +EXPIRES +DEVICE\n/u)
  expect(stdout).toContain('Firefox on Linux')
  expect(stdout).not.toMatch(/Safari|ofs_/u)
  expect(stdout).not.toContain(session)
})
