import { execFile } from 'node:child_process'

/** The exit code and the output of a program. */
export interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export interface CommandOptions {
  readonly cwd?: string
  /** Default this process's environment. */
  readonly env?: NodeJS.ProcessEnv
}

/** Runs a program to its end, with any exit code. @throws Error when it cannot be started */
export function run(program: string, args: readonly string[], options: CommandOptions = {}): Promise<Ended> {
  return new Promise((resolve, reject) => {
    execFile(program, args, { ...options, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      if (error === null) resolve({ code: 0, stdout, stderr })
      else if (typeof error.code === 'number') resolve({ code: error.code, stdout, stderr })
      else reject(new Error(`${program} cannot be run: ${error.message}`, { cause: error }))
    })
  })
}

/** Runs a program that must succeed. @returns its standard output @throws Error with all its output */
export async function succeed(
  program: string,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<string> {
  const { code, stdout, stderr } = await run(program, args, options)
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}\n${stdout}\n${stderr}`)
  return stdout
}
