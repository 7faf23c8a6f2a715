import type { Client } from './client.ts'
import type { Instance } from './instance.ts'

export type Kind = 'connections' | 'requests' | 'contributions' | 'moderation'

/** The result of an attack: the attempt, the reaction, and whether the software held. */
export interface Outcome {
  readonly did: string
  readonly came: string
  readonly result: 'held' | 'broken' | 'skipped'
}

/** The dependencies of an attack. */
export interface Setting {
  /** The address of the attacked instance. */
  readonly url: URL
  /** The instance started by the command; undefined for an operator's instance, to which nothing is written. */
  readonly own: Instance | undefined
  readonly seed: number
  readonly full: boolean
  /** The longest wait in milliseconds: far above every documented limit. */
  readonly patience: number
  /** Whether clients have addresses of their own, so that rate limits tell them apart. */
  readonly hasSeveralClients: boolean
  /**
   * Another client, which is closed after the attack.
   *
   * @param address of this machine; default an unused one
   */
  client(address?: string): Client
}

/** Something that a stranger tries. */
export interface Attack {
  readonly name: string
  readonly kind: Kind
  /** The attacker's goal. */
  readonly wants: string
  /** Mostly waits for the server, so that other attacks can run at the same time. Default false. */
  readonly waits?: boolean
  /** Whether it is left out of the short form. Default false. */
  readonly fullOnly?: boolean
  /** @throws Error when the attack cannot be carried out */
  readonly run: (setting: Setting) => Promise<Outcome>
}

export const outcome = (did: string, came: string, holds: boolean): Outcome => ({
  did,
  came,
  result: holds ? 'held' : 'broken',
})

/** @param why the missing requirement, with the remedy */
export const skipped = (why: string): Outcome => ({ did: 'nothing', came: why, result: 'skipped' })

/** The reason to skip attacks that write, or need known users, on another instance. */
export const needsOwn = skipped('it writes, or must know the registry: run it without --url')

/** The reason to skip attacks between clients without Linux and a local instance. */
export const needsSeveralClients = skipped(
  'it needs clients with several addresses: Linux, and an instance at 127.0.0.1',
)

/** The result of a promise, or undefined after a timeout. */
export async function within<Value>(
  promise: Promise<Value>,
  milliseconds: number,
): Promise<Value | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), milliseconds)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Waits for a condition, at most for the given time. @returns whether it became true */
export async function until(
  condition: () => boolean | Promise<boolean>,
  milliseconds: number,
): Promise<boolean> {
  const deadline = performance.now() + milliseconds
  while (!(await condition())) {
    if (performance.now() > deadline) return false
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return true
}
