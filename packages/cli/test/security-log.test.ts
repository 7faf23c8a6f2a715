import { mkdir, readFile, rename, stat } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { answered, folder, openfountain, serving } from '@openfountain/testing/command/shell'

const linesIn = async (file: string): Promise<string[]> =>
  (await readFile(file, 'utf8')).trimEnd().split('\n')

test('acts of commands are appended to the security log, which belongs to its owner alone', async () => {
  const cwd = await folder()
  const env = { OPENFOUNTAIN_SECURITY_LOG: 'security.log' }
  const commands = [
    'user add --name Ada --id ada --email ada@example.org --xp 100',
    'user moderator ada',
    'user moderator ada --off',
    'user grant ada --xp 5 --reason Survey',
    'session create --user ada',
    'session revoke 1',
    'token create --name bot',
    'token revoke 2',
    'user block ada --reason Vandalism',
    'user unblock ada',
    'user revert ada --since 2026-01-01 --reason x',
    'backup copy.db',
    'restore copy.db --force',
  ]
  for (const command of commands) {
    const { code, stderr } = await openfountain(command.split(' '), { cwd, env })
    expect([command, code, stderr]).toEqual([command, 0, expect.any(String)])
  }
  const file = path.join(cwd, 'security.log')
  const lines = await linesIn(file)
  expect(lines.map((line) => (JSON.parse(line) as { event: string }).event)).toEqual([
    'xp.granted',
    'moderator.appointed',
    'moderator.dismissed',
    'xp.granted',
    'session.created',
    'session.revoked',
    'token.created',
    'token.revoked',
    'user.blocked',
    'user.unblocked',
    'user.reverted',
    'registry.restored',
  ])
  expect(lines.join('\n')).not.toMatch(/example\.org|of[st]_|Vandalism/u)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  await rename(file, path.join(cwd, 'rotated.log'))
  const text = { ...env, OPENFOUNTAIN_LOG_FORMAT: 'text' }
  await openfountain(['user', 'grant', 'ada', '--xp', '1', '--reason', 'x'], { cwd, env: text })
  expect(await linesIn(file)).toEqual([expect.stringMatching(/^time=\S+Z event=xp\.granted user=ada xp=1$/u)])
})

test('a security log that cannot be written is refused before anything is done', async () => {
  const cwd = await folder()
  await mkdir(path.join(cwd, 'taken'))
  const { code, stderr } = await openfountain(
    ['token', 'create', '--name', 'bot', '--security-log', 'taken'],
    { cwd },
  )
  expect(code).toBe(12)
  expect(stderr).toContain('--security-log taken cannot be written')
  expect((await openfountain(['token', 'list'], { cwd })).code).toBe(14)
})

test('the server writes refusals among its requests, with their user, or to a file', async () => {
  const cwd = await folder()
  await answered(z.unknown(), ['user', 'add', '--name', 'Ada', '--id', 'ada'], { cwd })
  const { session } = await answered(
    z.object({ session: z.string() }),
    ['session', 'create', '--user', 'ada'],
    { cwd },
  )
  const refusedBy = async (...options: string[]): Promise<string[]> => {
    const { url, lines, stop } = await serving(options, { cwd })
    const body = JSON.stringify({ name: 'Spring', latitude: 1, longitude: 2 })
    const headers = { 'content-type': 'application/json', cookie: `session=${session}` }
    expect((await fetch(`${url}/api/waypoints`, { method: 'POST', headers, body })).status).toBe(403)
    expect((await fetch(`${url}/api/user`, { headers: { cookie: 'session=ofs_x' } })).status).toBe(401)
    await stop()
    return [...lines]
  }
  const lines = await refusedBy('--log-format', 'text')
  expect(lines).toEqual([
    expect.stringMatching(
      /^time=\S+ event=permission\.refused requestId=\S+ method=POST route=\/api\/waypoints status=403 code=INSUFFICIENT_XP user=ada network=127\.0\.0\.0\/24$/u,
    ),
    expect.stringMatching(/^time=\S+ requestId=\S+ method=POST .* client=127\.0\.0\.1 user=ada$/u),
    expect.stringMatching(/ event=authentication\.failed .* credential=session /u),
    expect.stringMatching(/ method=GET .* status=401 /u),
  ])
  expect(await refusedBy('--security-log', 'security.log', '--no-log')).toEqual([])
  expect(
    (await linesIn(path.join(cwd, 'security.log'))).map((line) => JSON.parse(line) as unknown),
  ).toMatchObject([
    { event: 'permission.refused', user: 'ada', network: '127.0.0.0/24' },
    { event: 'authentication.failed', credential: 'session' },
  ])
})
