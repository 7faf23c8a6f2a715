/** A process that runs command lines, since its start takes longer than most commands. */
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { commands } from '../../../cli/src/commands/all.ts'
import { run } from '../../../cli/src/program.ts'

export interface Request {
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
}

function caught(stream: NodeJS.WriteStream): () => string {
  const parts: string[] = []
  stream.write = (part: string | Uint8Array, ...rest: unknown[]): boolean => {
    parts.push(typeof part === 'string' ? part : Buffer.from(part).toString())
    const done = rest.at(-1)
    if (typeof done === 'function') queueMicrotask(() => done())
    return true
  }
  return () => parts.splice(0).join('')
}

// Some commands report or start the program: they need the path of the real one.
process.argv[1] = fileURLToPath(new URL('../../../cli/src/main.ts', import.meta.url))

const answer = process.stdout.write.bind(process.stdout)
const stdout = caught(process.stdout)
const stderr = caught(process.stderr)

for await (const line of createInterface({ input: process.stdin })) {
  const { args, cwd, env } = JSON.parse(line) as Request
  process.chdir(cwd)
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name]
  Object.assign(process.env, env)
  const code = await run(commands, args)
  answer(`${JSON.stringify({ code, stdout: stdout(), stderr: stderr() })}\n`)
}
