import { Client } from 'pg'
import { inject } from 'vitest'
import { openPostgres } from '../../../postgres/src/store.ts'
import { adminOf, createDatabase, type ClusterAddress } from './cluster.ts'

export interface RegistryDatabase {
  readonly url: string
  /** Returns it for the next test, emptied. Other sessions are disconnected. */
  giveBack(): Promise<void>
}

const spare: RegistryDatabase[] = []

/** Deleting the last test’s rows takes a hundredth of the time of a new database or a copy. */
export async function registryDatabase(): Promise<RegistryDatabase> {
  return spare.pop() ?? created(inject('postgres'))
}

async function created(cluster: ClusterAddress): Promise<RegistryDatabase> {
  const url = await createDatabase(cluster)
  const store = await openPostgres(url, { clock: () => new Date() })
  await store.close()
  const client = new Client(adminOf(cluster, new URL(url).pathname.slice(1)))
  // It stays open, and the cluster may stop first.
  client.on('error', () => undefined)
  await client.connect()
  const reset = await resetting(client)
  const database: RegistryDatabase = {
    url,
    giveBack: async () => {
      await client.query(reset)
      spare.push(database)
    },
  }
  return database
}

async function resetting(client: Client): Promise<string> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as "name" from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace and relname <> 'registry'`,
  )
  const names = rows.map(({ name }) => name)
  const inserts: string[] = []
  for (const name of names) {
    const { rows: kept } = await client.query<{ row: object }>(`select to_json(t) as "row" from "${name}" t`)
    if (kept.length === 0) continue
    const json = client.escapeLiteral(JSON.stringify(kept.map(({ row }) => row)))
    inserts.push(`insert into "${name}" select * from json_populate_recordset(null::"${name}", ${json})`)
  }
  return [
    // Disables the log's guards and foreign keys, so that any order of deletion works.
    'set session_replication_role = replica',
    `select pg_terminate_backend(pid, 10000) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
    ...names.map((name) => `delete from "${name}"`),
    ...inserts,
    `update "state" set "origin" = md5(random()::text), "placeKey" = md5(random()::text) || md5(random()::text)`,
  ].join(';\n')
}
