import path from 'node:path'
import { outcome, type Attack } from './attempt.ts'
import { endOf, startNode } from './program.ts'
import type { Published } from './publisher.ts'

const publisher = path.join(import.meta.dirname, 'publisher.ts')

/** @throws Error with the failure */
async function publish(folder: string, number: number, seed: number, steps: number): Promise<Published> {
  const args = [path.join(folder, String(number)), seed + number, steps].map(String)
  const { code, stdout, stderr } = await endOf(
    startNode(['--max-old-space-size=1024', publisher, ...args], folder),
  )
  if (code === 0) return JSON.parse(stdout) as Published
  const [message = ''] = /^(?:\w*Error|FATAL ERROR): .*$/mu.exec(stderr) ?? []
  throw new Error(`publishing ended with ${code ?? 'a signal'}: ${message}`)
}

/** The attacks share the same files, which are made once. */
export function publishing(): readonly Attack[] {
  let made: Promise<Published[]> | undefined
  const published = (folder: string, seed: number, full: boolean): Promise<Published[]> =>
    (made ??= (async () => {
      const all: Published[] = []
      for (let number = 0; number < (full ? 10 : 1); number++)
        all.push(await publish(folder, number, seed, full ? 1000 : 200))
      return all
    })())
  const sum = (all: readonly Published[], of: (one: Published) => number) =>
    all.reduce((total, one) => total + of(one), 0)
  return [
    {
      name: 'hostile-registry',
      kind: 'publishing',
      wants: 'that nobody can publish the registry any more',
      async run({ folder, seed, full }) {
        const all = await published(folder, seed, full)
        const [waypoints, exported, pages] = [
          sum(all, (one) => one.waypoints),
          sum(all, (one) => one.exported),
          sum(all, (one) => one.pages),
        ]
        return outcome(
          `exported and built registries of hostile texts, places, areas and dates up to the year 9999 (seed ${seed})`,
          `${waypoints} waypoints, ${exported} lines, ${pages} pages`,
          waypoints > 0 && exported === waypoints && pages >= waypoints,
        )
      },
    },
    {
      name: 'redacted-texts',
      kind: 'publishing',
      wants: 'to read what was redacted',
      async run({ folder, seed, full }) {
        const all = await published(folder, seed, full)
        const leaking = all.flatMap((one) => one.leaking)
        const erased = sum(all, (one) => one.erased)
        return outcome(
          `looked for ${erased} redacted texts in the database, its log, the export and the site`,
          leaking.length === 0 ? 'no file has one' : `found in ${leaking.slice(0, 5).join(', ')}`,
          leaking.length === 0 && erased > 0,
        )
      },
    },
  ]
}
