import { fork } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { exitCodes, type ExitName } from './exit-codes.ts'
import { describeFailure } from './failure-report.ts'
import type { Options } from './options.ts'

/** Timing of repeated publications, in seconds. */
interface Pace {
  /** Minimum time between two starts, and maximum delay while writes go on. */
  readonly every: number
  /** Time without writes before a publication. */
  readonly quiet: number
}

export const pace: Pace = { every: 300, quiet: 10 }

const lookEvery = 1
/** The longest delay of a retry, in seconds. */
const longestPause = 600

interface Times {
  readonly first: number
  readonly last: number
  /** The start of the latest publication. */
  readonly begun: number
}

export const dueAt = ({ first, last, begun }: Times, { every, quiet }: Pace): number =>
  Math.max(begun + every * 1000, Math.min(last + quiet * 1000, first + every * 1000))

/** The delay before a retry, in seconds, doubled with each failure in a row. */
export const pauseAfter = (failures: number, { quiet }: Pace): number =>
  Math.min(longestPause, Math.max(1, quiet) * 2 ** (failures - 1))

export interface FollowOptions {
  /** A value that changes with the published content. */
  state(): Promise<string>
  publish(): Promise<ExitName>
  readonly pace: Pace
  note(text: string): void
  readonly signal: AbortSignal
}

/** Publishes now and after each change. Only a failure of the first is final: a database may be away for a while. */
export async function follow({ state, publish, pace, note, signal }: FollowOptions): Promise<ExitName> {
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
          // Due at once.
          begun = -Infinity
          first = begun
          await failed('Publishing failed.')
          continue
        }
        // Writes during the publication have another state.
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

/** Runs this program in a child process. @returns its exit; `failed` when it was killed */
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

export const withoutWatching = (args: readonly string[], options: Options): string[] =>
  args.filter((arg, index) => {
    const isOne = (word: string | undefined): boolean =>
      Object.keys(options).some((name) => word === `--${name}` || word?.startsWith(`--${name}=`))
    const before = args[index - 1]
    const takesThis =
      before !== undefined &&
      Object.entries(options).some(([name, { type }]) => before === `--${name}` && type !== 'flag')
    return !isOne(arg) && !takesThis
  })
