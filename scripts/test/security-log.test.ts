/** @module-tag others */
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { workplace } from '@openfountain/testing/command/shell'
import { root } from '../packages/folders.ts'
import { succeed } from '../packages/command.ts'

const examples = join(root, 'examples/self-hosting')

test('fail2ban finds the networks of failed sign-ins in the security log, and logrotate turns it while the server writes', async () => {
  const { at, serving } = await workplace()
  const log = at('security.log')
  const { url } = await serving('--security-log security.log --trust-proxy 127.0.0.1')
  const asked = (client: string, token: string) =>
    fetch(`${url}/api/user`, { headers: { authorization: `Bearer ${token}`, 'x-forwarded-for': client } })
  expect((await asked('192.0.2.7', 'guessed')).status).toBe(401)
  expect((await asked('2001:db8::7', 'guessed')).status).toBe(401)
  await fetch(`${url}/api/user`, { headers: { 'x-forwarded-for': '198.51.100.7' } })
  const found = await succeed('fail2ban-regex', ['-o', '<ip>', log, join(examples, 'fail2ban-filter.conf')])
  expect(found.trim().split('\n')).toEqual(['192.0.2.0/24', '2001:db8::/64'])

  const given = await readFile(join(examples, 'logrotate.conf'), 'utf8')
  const conf = at('logrotate.conf')
  await writeFile(
    conf,
    given
      .replace(/^\/\S+/mu, log)
      .replace(/^ *su .*$/mu, '')
      .replace(/(0600) .*$/mu, '$1'),
  )
  await succeed('logrotate', ['--force', '--state', at('state'), conf])
  expect(await readFile(log, 'utf8')).toBe('')
  await asked('192.0.2.8', 'guessed')
  expect(await readFile(log, 'utf8')).toMatch(/^\{[^\n]*"network":"192\.0\.2\.0\/24"[^\n]*\n$/u)
  expect((await stat(log)).mode & 0o777).toBe(0o600)
})
