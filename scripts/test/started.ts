import { spawn } from 'node:child_process'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { ended } from '@openfountain/testing/command/shell'
import { root } from '../packages/folders.ts'

export type Started = Awaited<ReturnType<typeof started>>

export function addressIn(output: Readable): Promise<string> {
  let printed = ''
  return new Promise((resolve) => {
    output.on('data', (text: string | Buffer) => {
      printed += String(text)
      const [, found] = /The map +(http:\S+)\//u.exec(printed) ?? []
      if (found !== undefined) resolve(found)
    })
  })
}

export async function started(home: string, port = '0') {
  const args = ['--conditions=openfountain-source', path.join(root, 'scripts/start.ts')]
  const env = { ...process.env, OPENFOUNTAIN_HOME: home, PORT: port }
  const child = spawn(process.execPath, args, { cwd: root, env })
  const end = ended(child)
  let output = ''
  child.stdout.on('data', (text: string) => (output += text))
  const url = await Promise.race([
    addressIn(child.stdout),
    end.then(({ stderr }) => Promise.reject(new Error(stderr))),
  ])
  return {
    url,
    output,
    stop() {
      child.kill('SIGTERM')
      return end
    },
  }
}
