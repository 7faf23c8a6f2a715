/** Runs the command lines that its parent sends, one after the other: to start a process takes longer than most of them. */
import { Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { commands } from '../src/commands/all.ts'
import { run } from '../src/program.ts'

/** A command line, and what a process of its own would start with. */
export interface Task {
  /** The path of the program, then what follows it. */
  readonly argv: readonly string[]
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
}

/** Follows what a command line writes, on both streams. */
export const end = '\u001E'

/** What keeps a process from ending that did not before. */
function leftOver(before: readonly string[]): string[] {
  const left = process.getActiveResourcesInfo()
  for (const name of before) if (left.includes(name)) left.splice(left.indexOf(name), 1)
  return left
}

async function done({ argv, cwd, env }: Task): Promise<number> {
  // A stream that is opened by the first command line stays.
  for (const stream of [process.stdout, process.stderr]) stream.write('')
  const before = process.getActiveResourcesInfo()
  const own = { argv: process.argv, env: process.env }
  Object.assign(process, { argv: [process.execPath, ...argv], env })
  process.chdir(cwd)
  const code = await run(commands, argv.slice(1))
  // A process of its own would not end before these have, either.
  while (leftOver(before).length > 0) await pause(1)
  Object.assign(process, own)
  process.chdir('/')
  return code
}

/** Reads tasks and answers exit codes, a line each. */
async function follow(parent: Socket): Promise<void> {
  for await (const line of createInterface({ input: parent })) {
    const code = await done(JSON.parse(line) as Task)
    for (const stream of [process.stdout, process.stderr]) stream.write(end)
    parent.write(`${code}\n`)
  }
}

if (import.meta.main) await follow(new Socket({ fd: 3 }))
