import { spawn } from 'node:child_process'
import path from 'node:path'
import { ended, type Answer } from '../../packages/cli/test/shell.ts'
import { root } from '../packages/folders.ts'

export interface Started {
  readonly url: string
  /** What it said until it served. */
  readonly said: string
  /** Tells it to end, and waits for that. */
  stop(): Promise<Answer>
}

/** Does what `npm start` does, with everything in the given folder, on a free port unless told otherwise. */
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
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (text: string) => {
      said += text
      const [, found] = /The map +(http:\S+)\//u.exec(said) ?? []
      if (found !== undefined) resolve(found)
    })
    end.then(({ stderr }) => reject(new Error(stderr)), reject)
  })
  return {
    url,
    said,
    stop() {
      child.kill('SIGTERM')
      return end
    },
  }
}
