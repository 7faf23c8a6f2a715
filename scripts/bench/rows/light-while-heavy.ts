import os from 'node:os'
import type { Listed } from '../listing-child.ts'
import { alternate } from '../measurement.ts'
import { ratio } from '../report.ts'
import type { Bench, Reading, Row } from '../row.ts'
import { forkOn, message, readById, Served } from '../served.ts'

const seconds = 3

/**
 * Lists everything again and again until it is stopped; returns the number of lists. It shares a core with the reader,
 * whose clock it must not delay: in practice they are two machines.
 */
function listing(port: number): () => Promise<number> {
  const child = forkOn(1, 'listing-child.ts', [String(port)])
  if (child.pid !== undefined) os.setPriority(child.pid, 19)
  return async () => {
    child.send('stop')
    return (await message<Listed>(child)).lists
  }
}

async function measure({ rounds, file }: Bench): Promise<Reading[]> {
  const size = 200_000
  const server = await Served.start('whole', await file(size))
  let lists = 0
  try {
    const value = await alternate(
      async () => {
        const stop = listing(server.port)
        const { p99 } = await readById(server.port, size, seconds)
        lists += await stop()
        return p99
      },
      async () => (await readById(server.port, size, seconds)).p99,
      rounds,
    )
    const reading = ratio(
      'light reads while another lists all, p99',
      { against: 'the same reads alone', value, atMost: 2 },
      ' ms',
    )
    return [{ ...reading, subject: `${reading.subject}, ${lists} lists` }]
  } finally {
    await server.stop()
  }
}

/** The delay of light requests by heavy ones. */
export const lightWhileHeavy: Row = { name: 'light-while-heavy', measure }
