import { spawn, type ChildProcess, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { openRegistry, type Registry, type RegistryOptions } from '@openfountain/core'
import { expect } from 'vitest'
import { z } from 'zod'
import { afterwards } from '../afterwards.ts'
import { temporaryFolder } from '../registry.ts'
import type { Request } from './session.ts'

export const main = fileURLToPath(new URL('../../../cli/src/main.ts', import.meta.url))

export interface Answer {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export interface RunOptions {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  readonly input?: string
  readonly uid?: number
  /** The module of the command, such as the built one. Default the source. */
  readonly module?: string
}

/** The environment of this process, without variables of a registry or of the test run. */
export function environment(extra: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(OPENFOUNTAIN|VITEST|NODE_ENV|PORT)/u.test(name),
  )
  return { ...Object.fromEntries(inherited), ...extra }
}

export function started(
  args: readonly string[],
  options: RunOptions = {},
): { readonly child: ChildProcessWithoutNullStreams; readonly end: Promise<Answer> } {
  const words = options.module === undefined ? ['--conditions=openfountain-source', main] : [options.module]
  const child = spawn(process.execPath, [...words, ...args], {
    env: environment(options.env),
    cwd: options.cwd,
    ...(options.uid !== undefined && { uid: options.uid, gid: options.uid }),
  })
  child.stdin.on('error', () => {})
  child.stdin.end(options.input ?? '')
  return { child, end: ended(child) }
}

/** A bundler service keeps running in its start folder, which is removed with the test. */
const building = /^(?:site$|publish$|--publish)/u

/** Whether a command line needs a process of its own, for input, user or Node's variables. */
const needsProcess = (args: readonly string[], { input, uid, env = {} }: RunOptions): boolean =>
  args.some((word) => building.test(word)) ||
  input !== undefined ||
  uid !== undefined ||
  Object.keys(env).some((variable) => variable.startsWith('NODE_'))

/** The session process for the command lines of a worker; unset while it runs one. */
let idle: Session | undefined

/** Runs `openfountain` to its end, in a session process where that is idle. */
export async function openfountain(args: readonly string[], options: RunOptions = {}): Promise<Answer> {
  if (needsProcess(args, options)) return started(args, options).end
  const session = idle ?? new Session()
  idle = undefined
  try {
    return await session.run(args, options)
  } finally {
    if (idle === undefined && session.isRunning) idle = session
    else session.end()
  }
}

export async function openfountains(
  lines: readonly (readonly string[])[],
  options: RunOptions = {},
): Promise<readonly Answer[]> {
  const answers: Answer[] = []
  for (const line of lines) answers.push(await openfountain(line, options))
  return answers
}

class Session {
  readonly #child = spawn(
    process.execPath,
    ['--conditions=openfountain-source', fileURLToPath(new URL('session.ts', import.meta.url))],
    { stdio: ['pipe', 'pipe', 'inherit'], env: environment() },
  )
  readonly #lines = createInterface({ input: this.#child.stdout })

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null
  }

  async run(args: readonly string[], { cwd = process.cwd(), env }: RunOptions): Promise<Answer> {
    const request: Request = { args, cwd, env: environment(env) }
    this.#child.stdin.write(`${JSON.stringify(request)}\n`)
    const line = await new Promise<string>((resolve, reject) => {
      const ended = (): void => reject(new Error(`openfountain ${args.join(' ')} ended its process`))
      this.#child.once('close', ended)
      this.#lines.once('line', (text) => {
        this.#child.off('close', ended)
        resolve(text)
      })
    })
    return { signal: null, ...(JSON.parse(line) as Omit<Answer, 'signal'>) }
  }

  end(): void {
    this.#child.stdin.end()
  }
}

export async function ended(child: ChildProcess): Promise<Answer> {
  const texts = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name]?.setEncoding('utf8').on('data', (text: string) => (texts[name] += text))
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (...result: [number | null, NodeJS.Signals | null]) => resolve(result))
  })
  return { code, signal, ...texts }
}

/** A command's --json answer, checked for success and against the schema. */
export async function answered<Shape extends z.ZodType>(
  shape: Shape,
  args: readonly string[],
  options: RunOptions = {},
): Promise<z.infer<Shape>> {
  const { code, stdout, stderr } = await openfountain([...args, '--json'], options)
  if (code !== 0) throw new Error(`openfountain ${args.join(' ')} exits with ${code}: ${stderr}`)
  return shape.parse(JSON.parse(stdout))
}

export { temporaryFolder as folder }

const wordsOf = (line: string): string[] =>
  [...line.matchAll(/'([^']*)'|(\S+)/gu)].map(([, quoted, plain = '']) => quoted ?? plain)

export type Workplace = Awaited<ReturnType<typeof workplace>>

/** @param files texts by file name */
export async function workplace(files: Readonly<Record<string, string>> = {}) {
  const cwd = await temporaryFolder()
  const at = (name: string): string => path.join(cwd, name)
  for (const [name, text] of Object.entries(files)) await writeFile(at(name), text)
  const run = (line: string, options?: RunOptions) => openfountain(wordsOf(line), { cwd, ...options })
  const answer = <Shape extends z.ZodType>(shape: Shape, line: string, options?: RunOptions) =>
    answered(shape, wordsOf(line), { cwd, ...options })
  return {
    cwd,
    at,
    run,
    answer,
    json: (line: string, options?: RunOptions): Promise<unknown> => answer(z.unknown(), line, options),
    async codes(...lines: readonly string[]) {
      const codes: (number | null)[] = []
      for (const line of lines) codes.push((await run(line)).code)
      return codes
    },
    async refused(line: string, code: number, message: string) {
      const { stderr, ...refused } = await run(line)
      expect({ line, ...refused }).toEqual({ line, code, signal: null, stdout: '' })
      expect(stderr).toContain(message)
    },
    async registry<Result>(
      work: (registry: Registry) => Promise<Result>,
      options?: Partial<RegistryOptions>,
    ) {
      await using registry = await openRegistry({ database: at('openfountain.db'), ...options })
      return await work(registry)
    },
    serving: (line = '', options?: RunOptions) => serving(wordsOf(line), { cwd, ...options }),
  }
}

/** Kills a process that was started `detached`, with its children, if it still runs. */
export function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {}
}

export type Serving = Awaited<ReturnType<typeof served>>

export const serving = (args: readonly string[], options: RunOptions = {}) =>
  served(args, options, afterwards)

/** Ends a server that no test owns with this process. */
export const withProcess = (end: () => Promise<unknown>): unknown => process.once('exit', () => void end())

/** @param ending registers the function that ends the server */
export async function served(
  args: readonly string[],
  options: RunOptions,
  ending: (end: () => Promise<unknown>) => unknown,
) {
  const { child, end } = started(['serve', '--port', '0', '--json', ...args], options)
  const stop = (signal: NodeJS.Signals = 'SIGTERM'): Promise<Answer> => {
    child.kill(signal)
    return end
  }
  ending(() => stop('SIGKILL'))
  const lines: string[] = []
  const first = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      lines.push(line)
      resolve(line)
    })
    end.then(({ stderr }) => reject(new Error(stderr)), reject)
  })
  const { url } = JSON.parse(lines.shift() ?? first) as { url: string }
  return { url, child, lines, stop }
}
