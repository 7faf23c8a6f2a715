import { inert, inertJson, inertLines } from './inert.ts'
import type { WriteStream } from 'node:tty'
import { createInterface } from 'node:readline/promises'
import { usage } from './failure.ts'

export type Line = string | false | undefined

export class Output {
  readonly json: boolean

  constructor(json: boolean) {
    this.json = json
  }

  result(value: unknown, lines: () => readonly Line[]): void {
    if (this.json) this.#write(inertJson(value, process.stdout.isTTY ? 2 : undefined))
    else for (const line of lines()) if (line !== false && line !== undefined) this.line(line)
  }

  /** A line of a result for people. Untrusted text must be escaped by `inert`. */
  line(text: string): void {
    this.#write(text)
  }

  note(text: string): void {
    process.stderr.write(`${inertLines(text)}\n`)
  }

  progress(label: string): Progress {
    return progressOn(process.stderr, inert(label))
  }

  async during<Result>(label: string, work: (bar: Progress) => Promise<Result>): Promise<Result> {
    const bar = this.progress(label)
    return work(bar).finally(() => bar.end())
  }

  #write(text: string): void {
    process.stdout.write(`${text}\n`)
  }
}

export interface Progress {
  /** @param total absent while unknown */
  readonly at: (done: number, total?: number, what?: string) => void
  readonly end: () => void
}

const barWidth = 24
const redrawMilliseconds = 100

const silent: Progress = { at: () => {}, end: () => {} }

function timeLeft(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s left`
  if (seconds < 5400) return `${Math.round(seconds / 60)} min left`
  return `${Math.round(seconds / 3600)} h left`
}

/** One line of progress: a bar and a percentage when the total is known, a count, the speed, the time left. */
function progressLine(
  label: string,
  { done, total, seconds }: { done: number; total?: number | undefined; seconds: number },
): string {
  const speed = seconds > 0.5 ? done / seconds : 0
  const parts = [label]
  const share = total === undefined || total === 0 ? undefined : Math.min(1, done / total)
  if (share !== undefined) {
    const filled = Math.round(share * barWidth)
    parts.push(`${'█'.repeat(filled)}${'░'.repeat(barWidth - filled)} ${Math.floor(share * 100)}%`)
  }
  const count = done.toLocaleString('en')
  parts.push(total === undefined ? count : `${count} of ${total.toLocaleString('en')}`)
  // A rate of a few files is meaningless.
  if (speed >= 10) parts.push(`${Math.round(speed).toLocaleString('en')}/s`)
  if (share !== undefined && share < 1 && speed >= 10 && total !== undefined)
    parts.push(timeLeft((total - done) / speed))
  return parts.join('  ')
}

/** A progress bar on a terminal; nothing in a pipe or a file. */
export function progressOn(stream: NodeJS.WriteStream | WriteStream, label: string): Progress {
  if (!stream.isTTY) return silent
  let began = performance.now()
  let drawn = 0
  let last = 0
  return {
    at(done, total, what = label) {
      const now = performance.now()
      if (done < last) began = now
      last = done
      if (now - drawn < redrawMilliseconds) return
      drawn = now
      const line = progressLine(what, { done, total, seconds: (now - began) / 1000 })
      stream.write(`\r\u001b[K${line.slice(0, (stream.columns ?? 80) - 1)}`)
    },
    end: () => void stream.write('\r\u001b[K'),
  }
}

/** Whether people can be asked: on a terminal, without --json. */
const canAsk = (out: Output): boolean => process.stdin.isTTY && !out.json

/** Asks a question whose answer is yes by default. @returns false where nobody can be asked */
export const isWanted = async (question: string, out: Output): Promise<boolean> =>
  canAsk(out) && !/^n/iu.test(await asked(`${question} [Y/n] `, out, ''))

/** @param otherwise the refusal without a terminal, or with --json @throws CommandError usage */
export async function asked(question: string, out: Output, otherwise: string): Promise<string> {
  if (!canAsk(out)) throw usage(otherwise)
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return (await terminal.question(question)).trim()
  } finally {
    terminal.close()
  }
}
