import type { RequestListener } from 'node:http'
import { H3, toNodeHandler } from 'h3'
import { Client, type ClientConfig } from 'pg'
import { Statements } from '../../packages/postgres/src/connection/statement.ts'
import { waypointReads } from '../../packages/core/src/store/nouns/waypoints.ts'

/** The number of an engine's sessions for short reads. */
const sessions = 2

/** The SQL that the engine runs for a waypoint with its log and sources. */
async function dossierSql(): Promise<string> {
  let seen = ''
  const spy = {
    query<Row>(text: string): Promise<Row[]> {
      seen = text
      return Promise.resolve([])
    },
  }
  await new Statements(spy).read(waypointReads).dossier(1)
  return seen
}

interface Found {
  readonly waypoint: string
  readonly logs: string
  readonly sources: string
  readonly logsTotal: string
}

/** The yardstick of PostgreSQL's reads: the driver in its fastest mode, and the same statement. */
export async function statementOnServer(url: string): Promise<RequestListener> {
  const text = await dossierSql()
  const clients = await Promise.all(
    Array.from({ length: sessions }, async () => {
      const client = new Client({ connectionString: url, pipeline: true } as ClientConfig)
      await client.connect()
      return { client, waiting: 0 }
    }),
  )
  const find = async (id: number): Promise<Found | undefined> => {
    const one = clients.reduce((least, other) => (other.waiting < least.waiting ? other : least))
    one.waiting++
    try {
      return (await one.client.query<Found>({ name: 'dossier', text, values: [id] })).rows[0]
    } finally {
      one.waiting--
    }
  }
  const app = new H3().get('/api/waypoints/:id', async ({ context, res }) => {
    const { waypoint, logs, sources, logsTotal } = (await find(Number(context.params?.['id']))) ?? {}
    res.headers.set('content-type', 'application/json; charset=utf-8')
    return `{"license":"ODbL-1.0","waypoint":${waypoint},"logs":[${logs}],"sources":[${sources}],"logsTotal":${logsTotal}}`
  })
  return toNodeHandler(app)
}
