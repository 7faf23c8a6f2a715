import { openRegistry } from '@openfountain/core'
import { Deliveries, Sender } from '../src/index.ts'

// Delivers until it is killed, mails by POST to an address. Its clock is ahead, so that the lease of one that was killed has ended.
const [database = '', url = '', aheadMinutes = '0'] = process.argv.slice(2)
const clock = () => new Date(Date.now() + Number(aheadMinutes) * 60_000)
const registry = await openRegistry({ database, clock })
const sender = new Sender({ key: () => 'k'.repeat(32), insecure: true })
new Deliveries(registry, sender, {
  mailDigest: async ({ id, notifications }) => {
    const { ok } = await fetch(url, { method: 'POST', body: JSON.stringify({ id, notifications }) })
    return ok ? 'done' : 'later'
  },
}).start()
