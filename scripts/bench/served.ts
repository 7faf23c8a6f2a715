import { fork, spawnSync, type ChildProcess } from 'node:child_process'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import type { Measured } from './served-child.ts'

/** Servers and load generators in processes of their own, each on its own core where there are two. */

export type ServerKind = 'whole' | 'statement' | 'statement-on-server' | 'blob' | 'stringify'

const pinned = availableParallelism() > 1 && spawnSync('taskset', ['-V']).status === 0

/** Starts a script of this folder on one core. */
export function forkOn(core: number, script: string, args: readonly string[]): ChildProcess {
  const file = path.join(import.meta.dirname, script)
  const child = fork(file, args, {
    execArgv: process.execArgv,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  if (pinned && child.pid !== undefined)
    spawnSync('taskset', ['-a', '-p', '-c', String(core), String(child.pid)])
  return child
}

/** The next message of a process; fails when it ends first. */
export function message<Message>(child: ChildProcess): Promise<Message> {
  return new Promise((resolve, reject) => {
    const ended = (): void => reject(new Error('A process that was measured ended early'))
    child.once('exit', ended)
    child.once('message', (given) => {
      child.off('exit', ended)
      resolve(given as Message)
    })
  })
}

/** A running server. */
export class Served {
  readonly #child: ChildProcess
  readonly port: number

  constructor(child: ChildProcess, port: number) {
    this.#child = child
    this.port = port
  }

  /** Starts a server on the first core, or free to use all of them. */
  static async start(kind: ServerKind, file: string, free = false): Promise<Served> {
    const child = free
      ? fork(path.join(import.meta.dirname, 'served-child.ts'), [kind, file], { execArgv: process.execArgv })
      : forkOn(0, 'served-child.ts', [kind, file])
    const { port } = await message<{ port: number }>(child)
    return new Served(child, port)
  }

  /** The server's longest stall, peak memory and processor time since the last call. */
  async measure(): Promise<Measured> {
    this.#child.send('measure')
    return message<Measured>(this.#child)
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once('exit', resolve))
    this.#child.disconnect()
    await ended
  }
}

/** The result of a load generator. */
export interface Load {
  /** All of them, also those of the warm-up. */
  readonly requests: number
  readonly perSecond: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
}

/**
 * Reads waypoints by id for a while, one request after the other on each connection, from the second core.
 *
 * @param path the prefix before the id
 */
export async function readById(
  port: number,
  ids: number,
  seconds: number,
  path = '/api/waypoints/',
): Promise<Load> {
  const child = forkOn(1, 'load-child.ts', [String(port), String(ids), String(seconds), '8', path])
  return message<Load>(child)
}
