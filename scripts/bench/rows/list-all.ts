import { request } from 'node:http'
import { alternate, milliseconds, spreadOf, type Spread } from '../measurement.ts'
import { figures } from '../report.ts'
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

/** The most memory that one list took above what the server had before it, in a fresh process. */
async function peakOf(kind: ServerKind, database: string): Promise<number> {
  const server = await Served.start(kind, database, true)
  try {
    const { peak: before } = await server.measure()
    await whole(server.port)
    return (await server.measure()).peak - before
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
  const time = async (server: Served, into: number[]): Promise<number> => {
    await server.measure()
    const time = await milliseconds(() => whole(server.port))
    into.push((await server.measure()).stall)
    return time
  }
  try {
    const compared = await alternate(
      () => time(here, stalls),
      () => time(there, blobStalls),
      rounds,
    )
    const memory = await alternate(
      () => peakOf('whole', database),
      () => peakOf('stringify', database),
      Math.min(rounds, 2),
    )
    const stall: Spread = spreadOf(stalls.slice(1))
    const megabytes = (bytes: number) => `${figures(bytes / 1e6)} MB`
    return [
      {
        id: 'list all, time',
        title: 'list all 200,000, time',
        against: 'one statement that makes a BLOB',
        goal: { atMost: 1.3, unit: 'ratio' },
        value: compared.ratio,
        subject: `${figures(compared.subject.median)} ms`,
        yardstick: `${figures(compared.yardstick.median)} ms`,
      },
      {
        id: 'list all, longest stall',
        title: 'list all 200,000, longest stall',
        against: 'the clock',
        goal: { atMost: 30, unit: 'ms' },
        value: stall,
        subject: `${figures(stall.median)} ms`,
        yardstick: `BLOB ${figures(spreadOf(blobStalls.slice(1)).median)} ms`,
      },
      {
        id: 'list all, memory',
        title: 'list all 200,000, memory',
        against: 'JSON.stringify of all',
        goal: { atMost: 0.3, unit: 'ratio' },
        value: memory.ratio,
        subject: megabytes(memory.subject.median),
        yardstick: megabytes(memory.yardstick.median),
      },
    ]
  } finally {
    await here.stop()
    await there.stop()
  }
}

/** GET /api/waypoints of everything, made for each request. */
export const listAll: Row = { name: 'list-all', measure }
