import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { openRegistry, type Registry } from '@openfountain/core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { answered, folder, openfountain, serving } from '@openfountain/testing/command/shell'

const Link = z.strictObject({
  link: z.string(),
  secret: z.string().regex(/^ofl_[\w-]{43}$/u),
  expiresAt: z.iso.datetime(),
})

async function registryIn(cwd: string): Promise<Registry> {
  const registry = await openRegistry({ database: path.join(cwd, 'openfountain.db') })
  onTestFinished(() => registry.close())
  return registry
}

describe('links that sign in', () => {
  test('an invitation makes an account of the name and the role that it says, once', async () => {
    const cwd = await folder()
    const env = { OPENFOUNTAIN_PUBLIC_URL: 'https://fountains.example/' }
    const { link, secret } = await answered(Link, ['user', 'invite', '--name', 'Ada', '--moderator'], {
      cwd,
      env,
    })
    expect(link).toBe(`https://fountains.example/sign-in/#${secret}`)
    const registry = await registryIn(cwd)
    const { userId, isNew } = await registry.accounts.redeemLink(secret)
    expect(isNew).toBe(true)
    expect(await registry.users.profile(userId)).toMatchObject({ name: 'Ada', isModerator: true })
    await expect(registry.accounts.redeemLink(secret)).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  })

  test('an invitation without a name and a role leaves the name to them, and gives no power', async () => {
    const cwd = await folder()
    const { secret } = await answered(Link, ['user', 'invite'], { cwd })
    const registry = await registryIn(cwd)
    await expect(registry.accounts.redeemLink(secret)).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    const { userId } = await registry.accounts.redeemLink(secret, { name: 'Grace' })
    expect(await registry.users.profile(userId)).toMatchObject({ name: 'Grace', isModerator: false })
  })

  test('the link alone is on standard output, and no file holds its secret', async () => {
    const cwd = await folder()
    const registry = await registryIn(cwd)
    const { id } = await registry.users.create({ name: 'Ada' })
    const options = { cwd, env: { OPENFOUNTAIN_SECURITY_LOG: 'security.log' } }
    const { code, stdout, stderr } = await openfountain(
      ['user', 'link', '--user', id, '--site-base', '/map'],
      options,
    )
    expect(code).toBe(0)
    const [, secret = ''] = /^http:\/\/localhost:3000\/map\/sign-in\/#(ofl_[\w-]{43})\n$/u.exec(stdout) ?? []
    expect(stderr).toContain('shown only this once')
    expect(stderr).toContain('--public-url URL or OPENFOUNTAIN_PUBLIC_URL')
    expect(stderr).not.toContain('ofl_')
    const files = await readdir(cwd)
    expect(files).toContain('security.log')
    for (const file of files)
      expect((await readFile(path.join(cwd, file))).includes(secret.slice(4))).toBe(false)
    expect(await registry.accounts.redeemLink(secret)).toMatchObject({ userId: id, isNew: false })
    const lines = (await readFile(path.join(cwd, 'security.log'), 'utf8')).trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      { time: expect.any(String), event: 'link.created', user: id, until: expect.any(String) },
    ])
  })

  test('an address that is none is refused before a link is made, without repeating a password in it', async () => {
    const cwd = await folder()
    for (const address of [
      'fountains.example',
      'ftp://fountains.example',
      'https://ada:pass@fountains.example',
    ]) {
      const { code, stdout, stderr } = await openfountain(['user', 'invite', '--public-url', address], {
        cwd,
      })
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      expect(stderr).toContain('write it as https://host')
      expect(stderr).not.toContain('pass')
    }
    expect(await readdir(cwd)).toEqual([])
  })

  test('a user who is not there gets no link and has no devices', async () => {
    const cwd = await folder()
    await registryIn(cwd)
    for (const command of ['link', 'sessions']) {
      const { code, stdout, stderr } = await openfountain(['user', command, '--user', 'nobody'], { cwd })
      expect({ code, stdout }).toEqual({ code: 3, stdout: '' })
      expect(stderr).toContain('There is no user with this id')
    }
  })
})

test('the devices on which a user is signed in are listed with their last use, not those of others', async () => {
  const cwd = await folder()
  const registry = await registryIn(cwd)
  const [ada, grace] = [
    await registry.users.create({ name: 'Ada' }),
    await registry.users.create({ name: 'Grace' }),
  ]
  const { session, ...listed } = await registry.sessions.create(ada.id, { device: 'Firefox on Linux' })
  await registry.sessions.create(grace.id, { device: 'Safari on iPhone' })
  expect(await answered(z.unknown(), ['user', 'sessions', '--user', ada.id], { cwd })).toEqual({
    sessions: [listed],
  })
  const { stdout } = await openfountain(['user', 'sessions', '--user', ada.id], { cwd })
  expect(stdout).toMatch(/^ID +USER +CREATED +LAST USED +EXPIRES +DEVICE\n/u)
  expect(stdout).toContain('Firefox on Linux')
  expect(stdout).not.toMatch(/Safari|ofs_/u)
  expect(stdout).not.toContain(session)
})

test('where registration is closed, user add and user link let somebody in whom an invitation does not', async () => {
  const cwd = await folder()
  const { secret: invitation } = await answered(Link, ['user', 'invite', '--name', 'Eve'], { cwd })
  const Added = z.object({ user: z.object({ id: z.string() }) })
  const { id } = (await answered(Added, ['user', 'add', '--name', 'Ada'], { cwd })).user
  const { secret } = await answered(Link, ['user', 'link', '--user', id], { cwd })
  const server = await serving(['--registration', 'closed'], { cwd })
  const redeem = async (given: string) => {
    const response = await fetch(`${server.url}/api/auth/links/redeem`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ secret: given }),
    })
    const body: unknown = await response.json()
    return { status: response.status, body }
  }
  expect(await redeem(invitation)).toMatchObject({
    status: 403,
    body: { code: 'FORBIDDEN', details: { registration: 'closed' } },
  })
  expect(await redeem(secret)).toMatchObject({ status: 200, body: { user: { id, name: 'Ada' } } })
  await server.stop()
  const reopened = await serving([], { cwd })
  const response = await fetch(`${reopened.url}/api/auth/links/redeem`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ secret: invitation }),
  })
  expect(response.status).toBe(200)
  await reopened.stop()
})
