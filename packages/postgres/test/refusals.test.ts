/** @module-tag postgres */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, inject, test } from 'vitest'
import { openPostgres } from '@openfountain/postgres'
import { temporaryFolder } from '@openfountain/testing/registry'
import { asAdmin } from '@openfountain/testing/postgres/cluster'
import { emptyDatabase } from '@openfountain/testing/postgres/empty-database'
import { Proxy } from '@openfountain/testing/postgres/proxy'

const cluster = inject('postgres')
const secret = 'hunter2'
const clock = (): Date => new Date('2026-06-01T00:00:00.000Z')

const nameOf = (url: string): string => new URL(url).pathname.slice(1)
const as = (user: string, url: string): string => url.replace(/\/\/[^@]*@/, `//${user}@`)

/** The message of a refused opening; no part of the error has the password. */
async function refusal(url: string, code: string): Promise<string> {
  try {
    await (await openPostgres(url, { clock, patience: 0 })).close()
  } catch (error) {
    expect(error).toMatchObject({ name: 'RegistryError', code })
    expect(`${String(error)} ${JSON.stringify(error)}`).not.toContain(secret)
    return (error as Error).message
  }
  throw new Error('it was opened')
}

const variables = ['PGPASSWORD', 'PGPASSFILE', 'PGSERVICEFILE'] as const
const before = new Map(variables.map((name) => [name, process.env[name]]))

afterEach(() => {
  for (const [name, value] of before)
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
})

describe('a database that cannot be opened', () => {
  test('is told with its servers, when none of them can be reached', async () => {
    const message = await refusal('postgres://ada@127.0.0.1:1,[::1]:2/fountains', 'STORAGE_UNAVAILABLE')
    expect(message).toContain('127.0.0.1:1 refuses connections (ECONNREFUSED); [::1]:2 ')
    expect(message).toContain('Check that it runs')
    expect(await refusal('postgres://ada@/fountains?host=/nowhere', 'STORAGE_UNAVAILABLE')).toContain(
      '/nowhere:5432 cannot be reached (ENOENT)',
    )
  })

  test('is told with a command that creates it, when it does not exist', async () => {
    const url = `postgres://openfountain@127.0.0.1:${cluster.port}/lost%20wells`
    expect(await refusal(url, 'STORAGE_MISSING')).toContain(
      `createdb --host=127.0.0.1 --port=${cluster.port} --username=postgres --owner=openfountain 'lost wells'`,
    )
  })

  test('names the user whose password is wrong, or who is not let in', async () => {
    await asAdmin(cluster, `create role mistaken login password '${secret}'`)
    const url = await emptyDatabase()
    process.env['PGPASSWORD'] = `${secret}x`
    expect(await refusal(as('mistaken', url), 'STORAGE_UNAVAILABLE')).toContain(
      'refuses the password of user "mistaken", or there is no such user: check PGPASSWORD',
    )
    await asAdmin(cluster, 'alter role mistaken nologin')
    process.env['PGPASSWORD'] = secret
    expect(await refusal(as('mistaken', url), 'STORAGE_UNAVAILABLE')).toContain(
      'does not let user "mistaken" in: role "mistaken" is not permitted to log in',
    )
  })

  test('says where a password was looked for, and why it was not found', async () => {
    await asAdmin(cluster, `create role forgetful login password '${secret}'`)
    const url = as('forgetful', await emptyDatabase())
    const folder = await temporaryFolder()
    const file = (name: string, mode: number): string => {
      const made = path.join(folder, name)
      writeFileSync(made, `elsewhere:*:*:*:${secret}\n`, { mode })
      return made
    }
    // Set to nothing is not set.
    process.env['PGPASSWORD'] = ''
    process.env['PGPASSFILE'] = file('open', 0o644)
    expect(await refusal(url, 'STORAGE_UNAVAILABLE')).toContain(
      `asks for the password of user "forgetful": give it as PGPASSWORD, or in the file that PGPASSFILE names; ${folder}/open is not used, since others can read it; run chmod 600 ${folder}/open`,
    )
    process.env['PGPASSFILE'] = file('own', 0o600)
    expect(await refusal(url, 'STORAGE_UNAVAILABLE')).toContain(
      `${folder}/own has no line for 127.0.0.1:${cluster.port}:${nameOf(url)}:forgetful`,
    )
    process.env['PGPASSFILE'] = '/nowhere'
    expect(await refusal(url, 'STORAGE_UNAVAILABLE')).toContain('/nowhere cannot be read')
  })

  test('names the user who may not make tables in it, and a command by which they may', async () => {
    await asAdmin(cluster, `create role "po'or" login password '${secret}'`)
    process.env['PGPASSWORD'] = secret
    const url = as("po'or", await emptyDatabase())
    const message = await refusal(url, 'STORAGE_READ_ONLY')
    expect(message).toContain(`User "po'or" may not create or use the tables`)
    expect(message).toContain(`--command='alter database "${nameOf(url)}" owner to "po'\\''or"'`)
  })

  test('is told when only servers are named that take no writes', async () => {
    const url = await emptyDatabase()
    await asAdmin(cluster, `alter database ${nameOf(url)} set default_transaction_read_only = on`)
    const message = await refusal(url, 'STORAGE_UNAVAILABLE')
    expect(message).toContain(
      `127.0.0.1:${cluster.port} takes no writes: it is a standby, or set to read only`,
    )
    expect(message).toContain(`postgres://127.0.0.1:${cluster.port},OTHER/${nameOf(url)}, or promote`)
  })

  test('on a server that is too old is told at once', async () => {
    const proxy = await Proxy.start(cluster.port)
    try {
      // The server's parameters at the start of a session.
      proxy.change = (answer) =>
        Buffer.from(
          answer.toString('latin1').replace(/server_version\0\d\d/u, 'server_version\u000014'),
          'latin1',
        )
      const url = (await emptyDatabase()).replace(`:${cluster.port}`, `:${proxy.port}`)
      expect(await refusal(url, 'STORAGE_UNAVAILABLE')).toMatch(
        /is PostgreSQL 14\.\S+.*too old: openfountain needs 15 or newer$/,
      )
    } finally {
      await proxy.stop()
    }
  })
})
