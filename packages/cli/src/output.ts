import { inert, inertJson, inertLines } from './inert.ts'
import { progressOn, type Progress } from './progress.ts'

/** A line of a result for people; false and undefined are left out. */
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
