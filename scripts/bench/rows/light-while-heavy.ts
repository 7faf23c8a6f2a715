import { request } from 'node:http'
import { alternate } from '../measurement.ts'
import { figures } from '../report.ts'
import type { Bench, Reading, Row } from '../row.ts'
import { readById, Served } from '../served.ts'

const seconds = 3

/** Lists everything again and again until told to stop; answers how often. */
function listing(port: number): () => Promise<number> {
  let lists = 0
  const stop = new AbortController()
  const once = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const asked = request({ port, host: '127.0.0.1', path: '/api/waypoints' }, (response) => {
        response.resume()
        response.on('end', () => {
          lists++
          resolve()
        })
        response.on('error', reject)
      })
      asked.on('error', reject)
      asked.end()
    })
  const running = (async () => {
    while (!stop.signal.aborted) await once()
  })()
  return async () => {
    stop.abort()
    await running
    return lists
  }
}

async function measure({ rounds, file }: Bench): Promise<Reading[]> {
  const size = 200_000
  const server = await Served.start('whole', await file(size), true)
  let lists = 0
  try {
    const compared = await alternate(
      async () => {
        const stop = listing(server.port)
        const { p99 } = await readById(server.port, size, seconds)
        lists += await stop()
        return p99
      },
      async () => (await readById(server.port, size, seconds)).p99,
      rounds,
    )
    const title = 'light reads while another lists all, p99'
    return [
      {
        id: title,
        title,
        against: 'the same reads alone',
        goal: { atMost: 3, unit: 'ratio' },
        value: compared.ratio,
        subject: `${figures(compared.subject.median)} ms, ${lists} lists`,
        yardstick: `${figures(compared.yardstick.median)} ms`,
      },
    ]
  } finally {
    await server.stop()
  }
}

/** Whether heavy work holds up light work. */
export const lightWhileHeavy: Row = { name: 'light-while-heavy', measure }
