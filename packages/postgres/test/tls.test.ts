/** @module-tag postgres */
import { execFile } from 'node:child_process'
import { chown, copyFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { openPostgres } from '@openfountain/postgres'
import { temporaryFolder } from '@openfountain/testing/registry'
import { Sessions } from '../src/connection/sessions.ts'
import { settingsOf } from '../src/connection/settings.ts'
import { asAdmin, Cluster, createDatabase } from '@openfountain/testing/postgres/cluster'

// A cluster of its own: other tests capture the traffic of the shared one.
const cluster = await Cluster.start()
afterAll(() => cluster.stop())

/** Gives the cluster a self-signed certificate for `localhost`. @returns its file */
async function certified(): Promise<string> {
  const data = path.join(cluster.folder, 'data')
  const folder = await temporaryFolder()
  const certificate = path.join(folder, 'server.crt')
  const key = path.join(folder, 'server.key')
  const made = ['-keyout', key, '-out', certificate, '-subj', '/CN=localhost']
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-x509', '-days', '2']
  await promisify(execFile)('openssl', ['req', ...kind, ...made, '-addext', 'subjectAltName=DNS:localhost'])
  const { uid, gid } = await stat(data)
  for (const file of [certificate, key]) {
    const copy = path.join(data, path.basename(file))
    await copyFile(file, copy)
    await chown(copy, uid, gid)
  }
  return certificate
}

async function isEncrypted(url: string): Promise<unknown> {
  const session = await new Sessions(settingsOf(url)).open('long')
  try {
    const [row] = await session.query<{ ssl: boolean }>(
      'select ssl from pg_stat_ssl where pid = pg_backend_pid()',
      [],
    )
    return row?.ssl
  } finally {
    await session.close()
  }
}

test('TLS is spoken where the server has it, and its certificate is checked as sslmode says', async () => {
  const url = await createDatabase(cluster)
  const named = url.replace('127.0.0.1', 'localhost')
  const refused = (address: string, reason: string) =>
    expect(openPostgres(address, { clock: () => new Date(0), patience: 0 })).rejects.toThrow(reason)
  await refused(`${url}?sslmode=require`, 'does not speak TLS, which sslmode asks for')
  const certificate = await certified()
  await asAdmin(cluster, 'alter system set ssl = on')
  await asAdmin(cluster, 'select pg_reload_conf()')
  await expect.poll(async () => asAdmin(cluster, 'show ssl')).toEqual([{ ssl: 'on' }])
  expect(await isEncrypted(url)).toBe(true)
  expect(await isEncrypted(`${url}?sslmode=require`)).toBe(true)
  expect(await isEncrypted(`${url}?sslmode=disable`)).toBe(false)
  expect(await isEncrypted(`${url}?sslmode=verify-ca&sslrootcert=${certificate}`)).toBe(true)
  expect(await isEncrypted(`${named}?sslmode=verify-full&sslrootcert=${certificate}`)).toBe(true)
  await refused(`${named}?sslmode=verify-full`, 'is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT): sslrootcert')
  await refused(`${url}?sslmode=verify-full&sslrootcert=${certificate}`, 'ERR_TLS_CERT_ALTNAME_INVALID')
})
