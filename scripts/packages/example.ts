import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { succeed } from './command.ts'
import { root } from './folders.ts'

const fromSources = '--conditions=openfountain-source'
const fileOf = (name: string): string => join(root, 'examples', name)

/** Runs an example to its end in a folder. @returns its standard output */
export function runExample(
  name: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv = {},
): Promise<string> {
  return succeed(process.execPath, [fromSources, fileOf(name), ...args], {
    cwd,
    env: { ...process.env, ...env },
  })
}

/** An example that listens. */
export interface Host {
  /** Such as `http://127.0.0.1:40123`. */
  readonly url: string
  end(): Promise<void>
}

/** Starts an example server on a free port, and waits for its ready message. */
export async function startExample(name: string, args: readonly string[], cwd: string): Promise<Host> {
  const child = spawn(process.execPath, [fromSources, fileOf(name), ...args], {
    cwd,
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  let port: string | undefined
  for await (const line of createInterface({ input: child.stdout })) {
    port = /port: (\d+)/u.exec(line)?.[1]
    if (port !== undefined) break
  }
  if (port === undefined) throw new Error(`${name} ended without listening`)
  child.stdout.resume()
  return {
    url: `http://127.0.0.1:${port}`,
    async end() {
      child.kill()
      await ended
    },
  }
}
