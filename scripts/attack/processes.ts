import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { root } from '../packages/folders.ts'
import { outcome, skipped, until, within, type Attack } from './attempt.ts'

const killedLauncher: Attack = {
  name: 'killed-launcher',
  kind: 'process',
  wants: 'a server that goes on without supervision, and keeps the port and the database',
  async run({ folder, patience }) {
    if (process.platform === 'win32')
      return skipped('Windows does not tell a process that its parent has ended')
    const bin = path.join(root, 'packages/cli/bin/openfountain.mjs')
    // A process group of its own, so that all of it can be killed.
    const launcher = spawn(process.execPath, [bin, 'serve', '--port', '0', '--json'], {
      cwd: folder,
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    try {
      const said = (await within(once(launcher.stdout, 'data'), patience)) as [Buffer] | undefined
      if (said === undefined) throw new Error('openfountain serve did not start')
      const { url } = JSON.parse(said[0].toString()) as { url: string }
      const responds = () =>
        fetch(`${url}/api/health`).then(
          ({ ok }) => ok,
          () => false,
        )
      const before = await responds()
      launcher.kill('SIGKILL')
      const isGone = await until(async () => !(await responds()), patience)
      return outcome(
        'started openfountain serve and killed the process that was started (SIGKILL)',
        isGone ? 'its server ended too' : 'its server goes on',
        before && isGone,
      )
    } finally {
      try {
        if (launcher.pid !== undefined) process.kill(-launcher.pid, 'SIGKILL')
      } catch {
        // All have ended.
      }
    }
  },
}

export const processes: readonly Attack[] = [killedLauncher]
