/** @module-tag postgres */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { shownDatabase } from '@openfountain/core/engine'
import { temporaryFolder } from '@openfountain/testing/registry'
import { settingsOf } from '../src/connection/settings.ts'

const noPassword = { PGUSER: 'somebody', PGPASSFILE: '/nowhere' }

describe('the address of a database', () => {
  test('names several servers, a database, a user and how to speak', () => {
    const settings = settingsOf(
      'postgres://ada:p%40ss@a.example:5433,b.example,[::1]:6000/fountains?sslmode=verify-full&application_name=town',
      noPassword,
    )
    expect(settings).toMatchObject({
      hosts: [
        { host: 'a.example', port: 5433 },
        { host: 'b.example', port: 5432 },
        { host: '::1', port: 6000 },
      ],
      database: 'fountains',
      user: 'ada',
      acceptsStandby: false,
      tls: {},
      applicationName: 'town',
    })
    expect(settings.password({ host: 'a.example', port: 5433 })).toBe('p@ss')
  })

  test('takes what it leaves out from the variables that all programs for PostgreSQL know', () => {
    const secret = { PGPASSWORD: 'secret', PGSSLMODE: 'disable' }
    const own = { PGHOST: '/run/postgresql', PGPORT: '5555', PGUSER: 'ada', PGDATABASE: 'town' }
    const environment = { ...own, ...secret }
    const settings = settingsOf('postgres://', environment)
    expect(settings).toMatchObject({
      hosts: [{ host: '/run/postgresql', port: 5555 }],
      database: 'town',
      user: 'ada',
      tls: 'off',
    })
    expect(settings.password({ host: '/run/postgresql', port: 5555 })).toBe('secret')
  })

  test('finds the password in a file that nobody else can read', async () => {
    const file = path.join(await temporaryFolder(), 'passwords')
    const lines = ['# host:port:database:user:password', 'a.example:*:town:ada:one\\:two', '*:5432:*:*:any']
    writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600 })
    const { password } = settingsOf('postgres://ada@a.example/town', { PGPASSFILE: file })
    expect(password({ host: 'a.example', port: 6000 })).toBe('one:two')
    expect(password({ host: 'b.example', port: 5432 })).toBe('any')
    expect(() => password({ host: 'b.example', port: 6000 })).toThrow('has no line')
    const open = path.join(await temporaryFolder(), 'passwords')
    writeFileSync(open, '*:*:*:*:any\n', { mode: 0o644 })
    const { password: refused } = settingsOf('postgres://ada@a.example/town', { PGPASSFILE: open })
    expect(() => refused({ host: 'a.example', port: 5432 })).toThrow(`run chmod 600 ${open}`)
    expect(settingsOf(`postgres://a.example/town?passfile=${open}`, noPassword).user).toBe('somebody')
  })

  test('takes the settings of a service before the variables, and after what it says itself', async () => {
    const folder = await temporaryFolder()
    const file = path.join(folder, 'services')
    const primary = ['host=a.example,b.example', 'port = 5433', 'user=ada', 'dbname=town', 'password=a=b']
    const lines = ['[other]', 'host=c.example', '', '[town]', '# the primary', ...primary, 'sslmode=disable']
    writeFileSync(file, [...lines, '[last]', 'gssencmode=x'].join('\n'))
    const environment = { PGSERVICEFILE: file, PGUSER: 'somebody', PGHOST: 'd.example', PGPASSWORD: '' }
    const settings = settingsOf('postgres://eve@/?service=town', environment)
    expect(settings).toMatchObject({
      hosts: [
        { host: 'a.example', port: 5433 },
        { host: 'b.example', port: 5433 },
      ],
      database: 'town',
      user: 'eve',
      tls: 'off',
    })
    expect(settings.password({ host: 'a.example', port: 5433 })).toBe('a=b')
    expect(settingsOf('postgres://', { ...environment, PGSERVICE: 'other' }).hosts).toEqual([
      { host: 'c.example', port: 5432 },
    ])
    expect(() => settingsOf('postgres://?service=last', environment)).toThrow('gssencmode of service last')
    expect(() => settingsOf('postgres://?service=none', environment)).toThrow(
      `service none is not found in ${file}`,
    )
    const elsewhere = { PGSERVICEFILE: '/nowhere', PGSYSCONFDIR: folder, PGSERVICE: 'all' }
    writeFileSync(path.join(folder, 'pg_service.conf'), '[all]\ntarget_session_attrs=any\n')
    expect(settingsOf('postgres://a/town', elsewhere)).toMatchObject({ acceptsStandby: true })
  })

  test.each([
    ['postgres://ada:p@ss/word@a.example/town', 'percent-encoded'],
    ['postgres://a.example:70000/town', 'port'],
    ['postgres://a.example/town?sslmode=often', 'sslmode'],
    ['postgres://a.example/town?target_session_attrs=standby', 'target_session_attrs'],
    ['postgres://a.example/town?jit=off', 'jit'],
    ['postgres://ada:%zz@a.example/town', 'percent-encoded'],
  ])('is refused when it is wrong, without being repeated: %s', (url, reason) => {
    expect(() => settingsOf(url, noPassword)).toThrow(reason)
    expect(() => settingsOf(url, noPassword)).not.toThrow(/ss\/word/)
  })

  test.each([
    ['postgres://ada:secret@a:5432,b/town?sslmode=require', 'postgres://ada@a:5432,b/town?sslmode=require'],
    ['postgresql://:secret@a/town', 'postgres://a/town'],
    ['postgres://a/town?passw%6Frd=secret&sslmode=require', 'postgres://a/town?sslmode=require'],
    ['postgres://a/town?password=secret', 'postgres://a/town'],
    ['postgres://ada:sec@ret/x@a/town', 'postgres://…'],
    ['postgres://ada:secret#x@a/town', 'postgres://…'],
    ['fountains.db', 'fountains.db'],
    [':memory:', ':memory:'],
  ])('is shown without its password: %s', (given, shown) => {
    expect(shownDatabase(given)).toBe(shown)
  })
})
