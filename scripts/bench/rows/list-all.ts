import { request } from 'node:http'
import { alternate, milliseconds, spreadOf } from '../measurement.ts'
import { clock, figures, ratio } from '../report.ts'
import type { Bench, Reading, Row } from '../row.ts'
import { Served, type ServerKind } from '../served.ts'

const size = 200_000

/** Reads a whole list. @returns its bytes */
function whole(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = request({ port, host: '127.0.0.1', path: '/api/waypoints' }, (response) => {
      let bytes = 0
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
      })
      response.on('end', () => resolve(bytes))
      response.on('error', reject)
    })
    asked.on('error', reject)
    asked.end()
  })
}

/** Peak memory of one list above the server's memory before it, in megabytes, in a fresh process. */
async function peakOf(kind: ServerKind, database: string): Promise<number> {
  const server = await Served.start(kind, database, true)
  try {
    const { peak: before } = await server.measure()
    await whole(server.port)
    return ((await server.measure()).peak - before) / 1e6
  } finally {
    await server.stop()
  }
}

async function measure({ rounds, file }: Bench): Promise<Reading[]> {
  const database = await file(size)
  const here = await Served.start('whole', database, true)
  const there = await Served.start('blob', database, true)
  const stalls: number[] = []
  const blobStalls: number[] = []
  const listed = async (server: Served, into: number[]): Promise<number> => {
    await server.measure()
    const elapsed = await milliseconds(() => whole(server.port))
    into.push((await server.measure()).stall)
    return elapsed
  }
  try {
    const time = await alternate(
      () => listed(here, stalls),
      () => listed(there, blobStalls),
      rounds,
    )
    const memory = await alternate(
      () => peakOf('whole', database),
      () => peakOf('stringify', database),
      Math.min(rounds, 2),
    )
    const against = 'one statement that makes a BLOB'
    const blob = `BLOB ${figures(spreadOf(blobStalls.slice(1)).median)} ms`
    return [
      ratio('list all 200,000, time', { against, value: time, atMost: 1.5 }, ' ms'),
      { ...clock('list all 200,000, longest stall', 30, stalls.slice(1)), yardstick: blob },
      ratio(
        'list all 200,000, memory',
        { against: 'JSON.stringify of all', value: memory, atMost: 0.3 },
        ' MB',
      ),
    ]
  } finally {
    await here.stop()
    await there.stop()
  }
}

/** GET /api/waypoints of the whole registry, made for each request. */
export const listAll: Row = { name: 'list-all', measure }
