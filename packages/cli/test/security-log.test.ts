import { mkdir, readFile, rename, stat } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { workplace } from '@openfountain/testing/command/shell'

const linesIn = async (file: string): Promise<string[]> =>
  (await readFile(file, 'utf8')).trimEnd().split('\n')

test('acts of commands are appended to the security log, which belongs to its owner alone', async () => {
  const { at, run } = await workplace()
  const env = { OPENFOUNTAIN_SECURITY_LOG: 'security.log' }
  const commands: readonly (readonly [line: string, event?: string])[] = [
    ['user add --name Ada --id ada --email ada@example.org --xp 100', 'xp.granted'],
    ['user moderator ada', 'moderator.appointed'],
    ['user moderator ada --off', 'moderator.dismissed'],
    ['user grant ada --xp 5 --reason Survey', 'xp.granted'],
    ['session create --user ada', 'session.created'],
    ['session revoke 1', 'session.revoked'],
    ['token create --name bot', 'token.created'],
    ['token revoke 2', 'token.revoked'],
    ['user block ada --reason Vandalism', 'user.blocked'],
    ['user unblock ada', 'user.unblocked'],
    ['user revert ada --since 2026-01-01 --reason x', 'user.reverted'],
    ['backup copy.db'],
    ['restore copy.db --force', 'registry.restored'],
  ]
  for (const [line] of commands) expect([line, (await run(line, { env })).code]).toEqual([line, 0])
  const file = at('security.log')
  const lines = await linesIn(file)
  expect(lines.map((line) => (JSON.parse(line) as { event: string }).event)).toEqual(
    commands.flatMap(([, event]) => event ?? []),
  )
  expect(lines.join('\n')).not.toMatch(/example\.org|of[st]_|Vandalism/u)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  await rename(file, at('rotated.log'))
  await run('user grant ada --xp 1 --reason x', { env })
  expect(await linesIn(file)).toEqual([
    expect.stringMatching(/^\{"time":"\S+Z","event":"xp\.granted","user":"ada","xp":1\}$/u),
  ])
})

test('a security log that cannot be written is refused before anything is done', async () => {
  const { at, codes, refused } = await workplace()
  await mkdir(at('taken'))
  await refused('token create --name bot --security-log taken', 12, '--security-log taken cannot be written')
  expect(await codes('token list')).toEqual([14])
})

test('the server writes refusals among its requests, with their user, or to a file', async () => {
  const { at, registry, serving } = await workplace()
  const { session } = await registry(async ({ sessions, users }) => {
    await users.create({ id: 'ada', name: 'Ada' })
    return sessions.create('ada')
  })
  const refusedBy = async (options: string): Promise<string[]> => {
    const { url, lines, stop } = await serving(options)
    const body = JSON.stringify({ name: 'Spring', latitude: 1, longitude: 2 })
    const headers = { 'content-type': 'application/json', cookie: `session=${session}` }
    expect((await fetch(`${url}/api/waypoints`, { method: 'POST', headers, body })).status).toBe(403)
    expect((await fetch(`${url}/api/user`, { headers: { cookie: 'session=ofs_x' } })).status).toBe(401)
    await stop()
    return [...lines]
  }
  const among = await refusedBy('')
  expect(among.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { event: 'permission.refused', method: 'POST', route: '/api/waypoints', status: 403, user: 'ada' },
    { method: 'POST', client: '127.0.0.1', user: 'ada' },
    { event: 'authentication.failed', credential: 'session' },
    { method: 'GET', status: 401 },
  ])
  expect(await refusedBy('--security-log security.log --no-log')).toEqual([])
  const lines = await linesIn(at('security.log'))
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { event: 'permission.refused', user: 'ada', network: '127.0.0.0/24' },
    { event: 'authentication.failed', credential: 'session' },
  ])
})
