import { parseArgs } from 'node:util'
import { failover, type Way } from '@openfountain/testing/postgres/failover'

const { values } = parseArgs({
  options: {
    times: { type: 'string', default: '20' },
    clients: { type: 'string', default: '64' },
    writes: { type: 'string', default: '500' },
    way: { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  },
})

if (values.help) {
  console.log(`Loses the primary of a PostgreSQL cluster while clients write through three servers.

  --times N    how often each way is tried, default 20
  --way WAY    kill (the primary with SIGKILL) or cut (the network between servers and primary); default both
  --clients N  clients that write at the same time, default 64
  --writes N   acknowledged writes before and after, default 500`)
  process.exit(0)
}

const ways: readonly Way[] = values.way === 'kill' || values.way === 'cut' ? [values.way] : ['kill', 'cut']
/** In turn; servers wait for a primary for ten seconds. */
const outages = [0, 1000, 3000, 12_000]
let failed = 0
for (let time = 1; time <= Number(values.times); time++)
  for (const way of ways) {
    const outage = outages[(time - 1) % outages.length] ?? 0
    const { acknowledged, errors, pause, problems } = await failover({
      way,
      servers: 3,
      clients: Number(values.clients),
      writes: Number(values.writes),
      outage,
    })
    const met = Object.entries(errors).map(([what, count]) => `${what} × ${count}`)
    console.log(
      `${time} ${way}, ${outage / 1000} s without a primary: ${acknowledged} acknowledged, ${pause.toFixed(1)} s without a write, errors: ${met.join(', ') || 'none'}`,
    )
    for (const problem of problems.slice(0, 10)) console.log(`  ${problem}`)
    if (problems.length > 0) failed++
  }
console.log(failed === 0 ? 'Nothing was lost, and nothing doubled' : `${failed} times something was wrong`)
process.exitCode = failed === 0 ? 0 : 1
