import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { outcome, type Attack, type Outcome, type Setting } from './attempt.ts'
import { Client } from './client.ts'
import { connections } from './connections.ts'
import { contributions } from './contributions.ts'
import { startInstance, type Instance } from './instance.ts'
import { moderating } from './moderating.ts'
import { rateLimit } from './rate-limit.ts'
import { reporting } from './reporting.ts'
import { requests } from './requests.ts'
import { responses } from './responses.ts'

/** All attacks, in order. */
export const allAttacks: readonly Attack[] = [
  ...connections,
  ...responses,
  ...rateLimit,
  ...contributions,
  ...moderating,
  ...reporting,
  ...requests,
]

export interface RunOptions {
  readonly seed: number
  readonly full: boolean
  /** A foreign instance, to which nothing is written. */
  readonly url?: URL
  /** An instance with known secrets. Default: one is started. */
  readonly own?: Instance
  /** Names of attacks, or kinds. Default all. */
  readonly only?: readonly string[]
  /** Waypoints of the started instance. */
  readonly waypoints: number
  /** The longest wait, in milliseconds. Default two minutes. */
  readonly patience?: number
  /** Called when an attack is over. */
  readonly onResult?: (result: Result) => void
}

/** An attack with its outcome. */
export interface Result extends Outcome, Pick<Attack, 'name' | 'kind' | 'wants'> {}

/** The attacks selected by the options. @throws Error for an unknown name */
export function chosen({ only, full }: Pick<RunOptions, 'only' | 'full'>): readonly Attack[] {
  const unknown = only?.find((one) => allAttacks.every(({ name, kind }) => name !== one && kind !== one))
  if (unknown !== undefined) throw new Error(`attack ${JSON.stringify(unknown)} not found; --help lists all`)
  return allAttacks.filter(({ name, kind, fullOnly }) =>
    only === undefined ? full || fullOnly !== true : only.includes(name) || only.includes(kind),
  )
}

/** Whether this machine has loopback addresses besides 127.0.0.1 for clients. */
function hasAddresses(): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(0, '127.100.0.1', () => server.close(() => resolve(true)))
  })
}

const describe = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message
}

/** Runs the attacks. @returns their outcomes, in order */
export async function runAttacks(options: RunOptions): Promise<Result[]> {
  const { seed, full, waypoints, patience = 120_000, onResult } = options
  const attacks = chosen(options)
  const home = await mkdtemp(path.join(tmpdir(), 'openfountain-attack-'))
  const remove = (): void => rmSync(home, { recursive: true, force: true, maxRetries: 3 })
  process.once('exit', remove)
  let { own } = options
  try {
    if (options.url === undefined)
      own ??= await startInstance(home, { waypoints, edits: full ? 30_000 : 300 })
    const url = options.url ?? own?.url ?? new URL('http://127.0.0.1')
    const isLocal = url.hostname === '127.0.0.1' && url.protocol === 'http:'
    const hasSeveralClients = isLocal && (await hasAddresses())
    let clients = 0
    const nextAddress = (): string | undefined => {
      if (!hasSeveralClients) return undefined
      clients += 1
      return `127.100.${Math.floor(clients / 250)}.${1 + (clients % 250)}`
    }
    const resultOf = async ({ name, kind, wants, run }: Attack): Promise<Result> => {
      const opened: Client[] = []
      const client: Setting['client'] = (address = nextAddress()) => {
        const made = new Client(url, address)
        opened.push(made)
        return made
      }
      // A failed attack proves nothing.
      const found = await run({ url, own, seed, full, patience, hasSeveralClients, client }).catch(
        (error: unknown) => outcome('could not be carried out', describe(error), false),
      )
      for (const one of opened) one.close()
      const result = { name, kind, wants, ...found }
      onResult?.(result)
      return result
    }
    // Those that wait for the server do so while others run.
    const results = new Map(
      attacks.filter(({ waits }) => waits === true).map((attack) => [attack, resultOf(attack)]),
    )
    for (const attack of attacks)
      if (!results.has(attack)) results.set(attack, Promise.resolve(await resultOf(attack)))
    return await Promise.all(attacks.map((attack) => results.get(attack) ?? resultOf(attack)))
  } finally {
    await own?.stop()
    remove()
    process.off('exit', remove)
  }
}
