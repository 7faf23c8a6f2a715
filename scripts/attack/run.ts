import { rmSync } from 'node:fs'
import { mkdir, mkdtemp } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { atRest } from './at-rest.ts'
import { outcome, type Attack, type Kind, type Outcome, type Setting } from './attempt.ts'
import { Client } from './client.ts'
import { connections } from './connections.ts'
import { contributions } from './contributions.ts'
import { hostileFiles } from './hostile-files.ts'
import { startInstance, type Instance } from './instance.ts'
import { moderating } from './moderating.ts'
import { processes } from './processes.ts'
import { publishing } from './publishing.ts'
import { rateLimit } from './rate-limit.ts'
import { reporting } from './reporting.ts'
import { requests } from './requests.ts'
import { responses } from './responses.ts'
import { restoring } from './restore.ts'
import { signingInAttacks } from './signing-in.ts'

/** All attacks, in order. */
export const allAttacks = (): readonly Attack[] => [
  ...connections,
  ...responses,
  ...rateLimit,
  ...contributions,
  ...moderating,
  ...reporting,
  ...signingInAttacks,
  ...requests,
  ...hostileFiles,
  ...atRest,
  ...restoring,
  ...publishing(),
  ...processes,
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
export interface Result extends Outcome {
  readonly name: string
  readonly kind: Kind
  readonly wants: string
}

const onInstance = new Set<Kind>(['connections', 'requests', 'contributions', 'moderation'])

/** The attacks selected by the options. @throws Error for an unknown name */
export function chosen({ only, full }: Pick<RunOptions, 'only' | 'full'>): readonly Attack[] {
  const all = allAttacks()
  const unknown = only?.find((name) => all.every((attack) => attack.name !== name && attack.kind !== name))
  if (unknown !== undefined) throw new Error(`attack ${JSON.stringify(unknown)} not found; --help lists all`)
  return all.filter(({ name, kind, fullOnly }) =>
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

/** Runs the attacks. @returns their outcomes, in order */
export async function runAttacks(options: RunOptions): Promise<Result[]> {
  const { seed, full, patience = 120_000 } = options
  const attacks = chosen(options)
  const home = await mkdtemp(path.join(tmpdir(), 'openfountain-attack-'))
  const remove = (): void => rmSync(home, { recursive: true, force: true, maxRetries: 3 })
  process.once('exit', remove)
  let { own } = options
  try {
    if (own === undefined && options.url === undefined && attacks.some(({ kind }) => onInstance.has(kind))) {
      const folder = path.join(home, 'instance')
      await mkdir(folder)
      own = await startInstance(folder, { waypoints: options.waypoints, edits: full ? 30_000 : 300 })
    }
    const url = options.url ?? own?.url ?? new URL('http://127.0.0.1')
    const isLocal = url.hostname === '127.0.0.1' && url.protocol === 'http:'
    const hasSeveralClients = isLocal && (await hasAddresses())
    let clients = 0
    const nextAddress = (): string | undefined => {
      if (!hasSeveralClients) return undefined
      clients += 1
      return `127.100.${Math.floor(clients / 250)}.${1 + (clients % 250)}`
    }
    const resultOf = async (attack: Attack): Promise<Result> => {
      const folder = path.join(home, attack.name)
      await mkdir(folder)
      const opened: Client[] = []
      const setting: Setting = {
        url,
        own,
        seed,
        full,
        patience,
        folder,
        hasSeveralClients,
        client(address = nextAddress()) {
          const client = new Client(url, address)
          opened.push(client)
          return client
        },
      }
      // A failed attack proves nothing.
      const found = await attack
        .run(setting)
        .catch((error: unknown) =>
          outcome(
            'could not be carried out',
            error instanceof Error ? describe(error) : String(error),
            false,
          ),
        )
      for (const client of opened) client.close()
      const { name, kind, wants } = attack
      const result = { name, kind, wants, ...found }
      options.onResult?.(result)
      return result
    }
    const results = new Map<Attack, Promise<Result>>()
    // These wait for the server while others run.
    for (const attack of attacks) if (attack.waits === true) results.set(attack, resultOf(attack))
    for (const attack of attacks) {
      if (results.has(attack)) continue
      const running = resultOf(attack)
      results.set(attack, running)
      await running
    }
    return await Promise.all(attacks.map((attack) => results.get(attack) ?? resultOf(attack)))
  } finally {
    await own?.stop()
    remove()
    process.off('exit', remove)
  }
}

const describe = (error: Error): string =>
  error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message
