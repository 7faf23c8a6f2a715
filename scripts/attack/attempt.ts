import type { Client } from './client.ts'
import type { Instance } from './instance.ts'

export type Kind =
  | 'connections'
  | 'requests'
  | 'contributions'
  | 'moderation'
  | 'sign-in'
  | 'hostile files'
  | 'at rest'
  | 'restore'
  | 'publishing'
  | 'process'

/** What was done, what came out, and whether the software held. */
export interface Outcome {
  readonly did: string
  readonly came: string
  readonly result: 'held' | 'broken' | 'skipped'
}

/** What an attack works with. */
export interface Setting {
  /** The address of the instance that is attacked. */
  readonly url: URL
  /** The instance that the command started; undefined when the operator named one, in which nothing is written. */
  readonly own: Instance | undefined
  readonly seed: number
  readonly full: boolean
  /** How long anything is waited for, in milliseconds: far longer than every limit that is documented. */
  readonly patience: number
  /** An empty folder of this attack. */
  readonly folder: string
  /** Whether clients have addresses of their own, so that one is not taken for the other. */
  readonly hasSeveralClients: boolean
  /**
   * Another client, which ends with the attack.
   *
   * @param address of this machine; default one that nobody had
   */
  client(address?: string): Client
}

/** Something that a stranger tries. */
export interface Attack {
  readonly name: string
  readonly kind: Kind
  /** What the stranger wants. */
  readonly wants: string
  /** Waits for the server most of the time, so that others can run beside it. Default false. */
  readonly waits?: boolean
  /** Is not part of the short form. Default false. */
  readonly fullOnly?: boolean
  /** @throws Error when it could not be carried out */
  run(setting: Setting): Promise<Outcome>
}

export const outcome = (did: string, came: string, holds: boolean): Outcome => ({
  did,
  came,
  result: holds ? 'held' : 'broken',
})

/** @param why what is missing, with the remedy */
export const skipped = (why: string): Outcome => ({ did: 'nothing', came: why, result: 'skipped' })

/** Why attacks that write, or need people of the registry, are not made on another instance. */
export const needsOwn = skipped('it writes, or must know the registry: run it without --url')

/** Why attacks of one client on others need Linux and an instance of this machine. */
export const needsSeveralClients = skipped(
  'it needs clients with several addresses: Linux, and an instance at 127.0.0.1',
)

/** What a promise resolves to, or undefined when that takes too long. */
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

/** Waits until something is so, at most the time that is given. @returns whether it was */
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
