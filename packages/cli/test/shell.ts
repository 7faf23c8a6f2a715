import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import type { Duplex, Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { afterAll, onTestFinished } from 'vitest'
import type { z } from 'zod'
import { end, type Task } from './one-process.ts'

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))
const oneProcess = fileURLToPath(new URL('one-process.ts', import.meta.url))
const nodeOptions = ['--conditions=openfountain-source', main]

/** Spares every process of the tests to read the sources anew. */
const compileCache = fileURLToPath(new URL('../../../node_modules/.cache/node-compile', import.meta.url))

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
  /** Runs it as this user of the system. */
  readonly uid?: number
}

/** The environment of this process, without what says how a registry or a test runs. */
export function environment(extra: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(OPENFOUNTAIN|VITEST|NODE_ENV|PORT)/u.test(name),
  )
  return { ...Object.fromEntries(inherited), NODE_COMPILE_CACHE: compileCache, ...extra }
}

/** Starts `openfountain` as a process of its own, without a terminal. */
export function started(
  args: readonly string[],
  options: RunOptions = {},
): { readonly child: ChildProcess; readonly end: Promise<Answer> } {
  const child = spawn(process.execPath, [...nodeOptions, ...args], {
    env: environment(options.env),
    ...(options.cwd !== undefined && { cwd: options.cwd }),
    ...(options.uid !== undefined && { uid: options.uid, gid: options.uid }),
  })
  child.stdin.on('error', () => {})
  child.stdin.end(options.input ?? '')
  return { child, end: ended(child) }
}

/** A process that runs one command line after the other, each as a process of its own would. */
interface Shared {
  readonly child: ChildProcess
  readonly stdout: Readable
  readonly stderr: Readable
  /** Takes tasks and answers exit codes, a line each. */
  readonly tasks: Duplex
  readonly exitCodes: Interface
  isBusy: boolean
}

let shared: Shared | undefined

afterAll(async () => {
  if (!shared) return
  const { child, tasks, exitCodes, isBusy } = shared
  exitCodes.close()
  if (isBusy) child.kill('SIGKILL')
  tasks.end()
  await once(child, 'exit')
})

function startShared(): Shared {
  const child = spawn(process.execPath, ['--conditions=openfountain-source', oneProcess], {
    cwd: '/',
    env: environment(),
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  })
  const [, stdout, stderr, tasks] = child.stdio as unknown as [null, Readable, Readable, Duplex]
  for (const stream of [stdout, stderr]) stream.setEncoding('utf8')
  const exitCodes = createInterface({ input: tasks })
  const made = { child, stdout, stderr, tasks, exitCodes, isBusy: false }
  child.once('exit', () => {
    if (shared === made) shared = undefined
  })
  return made
}

/** What is written to a stream before the mark of the end, or before the stream ends. */
function untilEnd(stream: Readable): Promise<string> {
  return new Promise((resolve) => {
    let text = ''
    const isOver = () => {
      stream.off('data', onData).off('close', isOver)
      resolve(text.endsWith(end) ? text.slice(0, -end.length) : text)
    }
    const onData = (more: string) => {
      text += more
      if (text.endsWith(end)) isOver()
    }
    stream.on('data', onData).on('close', isOver)
  })
}

async function runIn({ child, stdout, stderr, tasks, exitCodes }: Shared, task: Task): Promise<Answer> {
  const texts = Promise.all([untilEnd(stdout), untilEnd(stderr)])
  const exit = new Promise<[code: number | null, signal: NodeJS.Signals | null]>((resolve) => {
    const onLine = (line: string) => {
      child.off('exit', onExit)
      resolve([Number(line), null])
    }
    const onExit = (code: number | null, signal: NodeJS.Signals | null) => {
      exitCodes.off('line', onLine)
      resolve([code, signal])
    }
    exitCodes.once('line', onLine)
    child.once('exit', onExit)
  })
  tasks.write(`${JSON.stringify(task)}\n`)
  const [[code, signal], [written, noted]] = await Promise.all([exit, texts])
  return { code, signal, stdout: written, stderr: noted }
}

/** Their bundler finds nothing any more once the folder in which it was first used is gone, as those of tests go. */
const bundling: ReadonlySet<string | undefined> = new Set(['site', 'publish'])

/**
 * Runs `openfountain` until it ends: in a process that has started already where nothing but the command line, the
 * folder and the settings differ, else, and while that process is busy, in a process of its own.
 */
export async function openfountain(args: readonly string[], options: RunOptions = {}): Promise<Answer> {
  const { cwd = process.cwd(), env = {}, input, uid } = options
  const isOrdinary =
    input === undefined &&
    uid === undefined &&
    !bundling.has(args[0]) &&
    Object.keys(env).every((name) => name.startsWith('OPENFOUNTAIN_'))
  if (!isOrdinary || shared?.isBusy) return started(args, options).end
  shared ??= startShared()
  const used = shared
  used.isBusy = true
  try {
    return await runIn(used, { argv: [main, ...args], cwd, env: environment(env) })
  } finally {
    used.isBusy = false
  }
}

/** A program that runs the command lines of `command-lines.json` in its folder, one after the other. */
export const commandLines = fileURLToPath(new URL('command-lines.ts', import.meta.url))

/** Runs command lines one after the other in a folder. */
export async function openfountains(
  lines: readonly (readonly string[])[],
  options: RunOptions & { readonly cwd: string },
): Promise<readonly Answer[]> {
  const answers: Answer[] = []
  for (const line of lines) answers.push(await openfountain(line, options))
  return answers
}

/** Waits for the end of a process and what it said. */
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

/** What a command answers with --json, after it ended well and the answer has the shape. */
export async function answered<Shape extends z.ZodType>(
  shape: Shape,
  args: readonly string[],
  options: RunOptions = {},
): Promise<z.infer<Shape>> {
  const { code, stdout, stderr } = await openfountain([...args, '--json'], options)
  if (code !== 0) throw new Error(`openfountain ${args.join(' ')} exits with ${code}: ${stderr}`)
  return shape.parse(JSON.parse(stdout))
}

/** A folder that goes when the test is over. */
export async function folder(): Promise<string> {
  const made = await mkdtemp(path.join(tmpdir(), 'openfountain-cli-'))
  onTestFinished(() => rm(made, { recursive: true, force: true }))
  return made
}

/** Ends a process that was started `detached`, and what it started, if there is still something. */
export function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // All have ended.
  }
}

export interface Serving {
  readonly url: string
  readonly child: ChildProcess
  /** Lines on standard output after the first. */
  readonly lines: string[]
  /** Sends a signal and waits for the end. */
  stop(signal?: NodeJS.Signals): Promise<Answer>
}

/** Starts `openfountain serve` on a free port; it ends with the test. */
export async function serving(args: readonly string[], options: RunOptions = {}): Promise<Serving> {
  const child = spawn(process.execPath, [...nodeOptions, 'serve', '--port', '0', '--json', ...args], {
    env: environment(options.env),
    ...(options.cwd !== undefined && { cwd: options.cwd }),
  })
  const end = ended(child)
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await end
  })
  const lines: string[] = []
  const first = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      lines.push(line)
      resolve(line)
    })
    end.then(({ stderr }) => reject(new Error(stderr)), reject)
  })
  const { url } = JSON.parse(lines.shift() ?? first) as { url: string }
  return {
    url,
    child,
    lines,
    stop(signal = 'SIGTERM') {
      child.kill(signal)
      return end
    },
  }
}
