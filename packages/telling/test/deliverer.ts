import { openRegistry } from '@openfountain/core'
import { Deliveries, Sender } from '../src/index.ts'

// Delivers until it is killed. Its clock is ahead, so that the lease of one that was killed has ended.
const [database = '', aheadSeconds = '0'] = process.argv.slice(2)
const clock = () => new Date(Date.now() + Number(aheadSeconds) * 1000)
const registry = await openRegistry({ database, clock })
new Deliveries(registry, new Sender({ key: () => 'k'.repeat(32), insecure: true })).start()
