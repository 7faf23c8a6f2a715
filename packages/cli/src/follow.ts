import { fork } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { exitCodes, type ExitName } from './exit-codes.ts'
import { describeFailure } from './failure-report.ts'
import type { Options } from './options.ts'

/** How soon and how often something that follows a registry is done, in seconds. */
export interface Pace {
  /** Begins no two within this time, and lets nothing wait for longer than this because writes go on. */
  readonly every: number
  /** Waits until nothing was written for so long. */
  readonly quiet: number
}

/** The pace unless another one is given. */
export const pace: Pace = { every: 300, quiet: 10 }

/** Seconds between two looks at the registry. */
const lookEvery = 1
/** Most seconds until what failed is tried again. */
const longestPause = 600

/** When something happened, in milliseconds. */
export interface Times {
  /** The first and the last change that was not published yet. */
  readonly first: number
  readonly last: number
  /** The beginning of the latest publication. */
  readonly begun: number
}

/** When to publish next. */
export function dueAt({ first, last, begun }: Times, { every, quiet }: Pace): number {
  return Math.max(begun + every * 1000, Math.min(last + quiet * 1000, first + every * 1000))
}

/** Seconds until something is tried again that has failed so many times in a row: twice as long each time. */
export function pauseAfter(failures: number, { quiet }: Pace): number {
  return Math.min(longestPause, Math.max(1, quiet) * 2 ** (failures - 1))
}

export interface Followed {
  /** Something that is another one after each change of what is published. */
  state(): Promise<string>
  /** Publishes; returns the exit of the process that did. */
  publish(): Promise<ExitName>
  readonly pace: Pace
  note(text: string): void
  /** Ends it, also in the middle of a publication. */
  readonly signal: AbortSignal
}

/**
 * Publishes now, and again whenever the state is another one, until the signal. Only what fails the first time ends it: later a
 * database may be away, or a disk be full, for a while.
 *
 * @returns the exit of the first publication when that failed
 */
export async function follow({ state, publish, pace, note, signal }: Followed): Promise<ExitName> {
  let published: string | undefined
  let [seen, failures] = ['', 0]
  let [first, last, begun] = [0, 0, -Infinity]
  const sleep = (seconds: number) => pause(seconds * 1000, undefined, { signal }).catch(() => undefined)
  const failed = async (text: string) => {
    failures += 1
    const seconds = pauseAfter(failures, pace)
    note(`${text} It is tried again in ${seconds === 1 ? '1 second' : `${seconds} seconds`}.`)
    await sleep(seconds)
  }
  while (!signal.aborted) {
    try {
      const now = Date.now()
      const found = await state()
      if (found !== seen) {
        if (seen === published) first = now
        last = now
        seen = found
      }
      if (found !== published && (published === undefined || now >= dueAt({ first, last, begun }, pace))) {
        begun = now
        const exit = await publish()
        if (signal.aborted) break
        if (exit !== 'done' && published === undefined) return exit
        if (exit !== 'done') {
          // It is due at once.
          begun = -Infinity
          first = begun
          await failed('Publishing failed.')
          continue
        }
        // What was written meanwhile has another state.
        published = found
      }
      if (found === published) failures = 0
      await sleep(lookEvery)
    } catch (error) {
      if (published === undefined) throw error
      await failed(`The registry cannot be read: ${describeFailure(error).message}.`)
    }
  }
  return 'done'
}

/**
 * Runs this program again, with other arguments, and lets it write where this process does.
 *
 * @param signal lets it end
 * @param results where its results go
 * @returns its exit; `failed` when it was killed
 */
export async function anotherProcess(
  args: readonly string[],
  signal: AbortSignal,
  results: 'stdout' | 'stderr' = 'stdout',
): Promise<ExitName> {
  const [, program = ''] = process.argv
  const child = fork(program, args, { stdio: ['ignore', process[results].fd, 'inherit', 'ipc'] })
  const stop = () => {
    if (child.connected) child.disconnect()
  }
  signal.addEventListener('abort', stop, { once: true })
  const { promise, resolve, reject } = Promise.withResolvers<number | null>()
  child.on('error', reject).on('exit', resolve)
  try {
    const code = await promise
    const [exit] = Object.entries(exitCodes).find(([, one]) => one.code === code) ?? ['failed']
    return exit as ExitName
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** Arguments without some options and their values. */
export function withoutWatching(args: readonly string[], options: Options): string[] {
  return args.filter((arg, index) => {
    const isOne = (word: string | undefined): boolean =>
      Object.keys(options).some((name) => word === `--${name}` || word?.startsWith(`--${name}=`))
    const before = args[index - 1]
    const takesThis =
      before !== undefined &&
      Object.entries(options).some(([name, { type }]) => before === `--${name}` && type !== 'flag')
    return !isOne(arg) && !takesThis
  })
}
