import { Session } from 'node:inspector/promises'
import { openRegistry } from '@openfountain/core'
import { editionOf, formats } from '@openfountain/exchange'
import { globSync } from 'node:fs'
const registry = await openRegistry({ database: globSync('node_modules/.cache/openfountain-bench/fountains-200000-*.db')[0]!, readOnly: true })
const snapshot = await registry.snapshot()
const { name, author, license } = registry
const edition = editionOf({ snapshot, publisher: { name, author, license } })
const w = formats.find((k) => k.name === process.argv[2])!
const s = new Session(); s.connect(); await s.post('Profiler.enable'); await s.post('Profiler.setSamplingInterval', { interval: 500 }); await s.post('Profiler.start')
const t = performance.now(); const c = process.cpuUsage()
await w.write('/tmp/x.out', edition, { rows: 0 })
const u = process.cpuUsage(c)
console.log('ms', (performance.now() - t).toFixed(0), 'cpu', ((u.user + u.system) / 1000).toFixed(0))
const { profile: p } = await s.post('Profiler.stop')
const self = new Map<string, number>(); const by = new Map(p.nodes.map((n) => [n.id, n])); let tot = 0
p.samples?.forEach((id, i) => { const f = by.get(id)!.callFrame; const k = f.functionName + ' ' + f.url.split('/').slice(-3).join('/') + ':' + f.lineNumber; const d = p.timeDeltas![i]!; self.set(k, (self.get(k) ?? 0) + d); if (f.functionName !== '(idle)') tot += d })
for (const [k, v] of [...self].sort((a, b) => b[1] - a[1]).slice(0, 32)) console.log((v / tot * 100).toFixed(1) + '%', k)
process.exit()
