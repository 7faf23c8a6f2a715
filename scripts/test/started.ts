import { spawn } from 'node:child_process'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { ended, type Answer } from '../../packages/cli/test/shell.ts'
import { root } from '../packages/folders.ts'

export interface Started {
  readonly url: string
  /** What it said until it served. */
  readonly said: string
  /** Ends it, and waits until it has ended. */
  stop(): Promise<Answer>
}

/** The address that `npm start` says once it serves. */
export function addressIn(output: Readable): Promise<string> {
  let said = ''
  return new Promise((resolve) => {
    output.on('data', (text: string | Buffer) => {
      said += String(text)
      const [, found] = /The map +(http:\S+)\//u.exec(said) ?? []
      if (found !== undefined) resolve(found)
    })
  })
}

/** Does what `npm start` does, with everything in the given folder, by default on a free port. */
export async function started(home: string, port: string = '0'): Promise<Started> {
  const child = spawn(
    process.execPath,
    ['--conditions=openfountain-source', path.join(root, 'scripts/start.ts')],
    {
      cwd: root,
      env: { ...process.env, OPENFOUNTAIN_HOME: home, PORT: port },
    },
  )
  const end = ended(child)
  let said = ''
  child.stdout.on('data', (text: string) => (said += text))
  const url = await Promise.race([
    addressIn(child.stdout),
    end.then(({ stderr }) => Promise.reject(new Error(stderr))),
  ])
  return {
    url,
    said,
    stop() {
      child.kill('SIGTERM')
      return end
    },
  }
}
