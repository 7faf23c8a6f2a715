import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../../../cli/src/main.ts', import.meta.url))

/** A process of `openfountain serve`. */
export class Instance {
  readonly url: string
  readonly #child: ChildProcess
  readonly #complaints: string[]

  private constructor(child: ChildProcess, url: string, complaints: string[]) {
    this.#child = child
    this.url = url
    this.#complaints = complaints
  }

  /** Starts it on a free port of 127.0.0.1. */
  static async start(database: string): Promise<Instance> {
    const options = ['--conditions=openfountain-source', main, 'serve', '--port', '0', '--json']
    const { OPENFOUNTAIN_DB: _given, VITEST: _vitest, ...environment } = process.env
    const child = spawn(process.execPath, options, {
      env: { ...environment, OPENFOUNTAIN_DB: database },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const complaints: string[] = []
    child.stderr.setEncoding('utf8').on('data', (text: string) => complaints.push(text))
    const lines = createInterface({ input: child.stdout })
    const [first] = (await Promise.race([
      once(lines, 'line'),
      once(child, 'exit').then(() => {
        throw new Error(`A server did not start: ${complaints.join('')}`)
      }),
    ])) as [string]
    lines.on('line', () => {})
    const { url } = JSON.parse(first) as { url: string }
    return new Instance(child, url, complaints)
  }

  /** What it wrote to standard error. */
  get complaints(): string {
    return this.#complaints.join('')
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null
  }

  async stop(): Promise<void> {
    if (this.hasEnded) return
    const ended = once(this.#child, 'exit')
    this.#child.kill('SIGKILL')
    await ended
  }
}
