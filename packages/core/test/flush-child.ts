import { writeSync } from 'node:fs'
import { openRegistry, token } from '@openfountain/core'

/** Clients that create waypoints all at once, until the process is killed; each tells what was acknowledged. */

const [database = '', clients = '', name = ''] = process.argv.slice(2)
const registry = await openRegistry({ database })

async function client(number: number): Promise<void> {
  for (let count = 0; ; count++) {
    const input = { name: `${name} ${number} ${count}`, latitude: 1, longitude: 1 }
    const { id } = await registry.waypoints.create(input, token())
    writeSync(1, `${id} ${input.name}\n`)
  }
}

writeSync(1, 'ready\n')
await Promise.all(Array.from({ length: Number(clients) }, (_each, number) => client(number)))
