import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

interface Running {
  readonly parent: number
  readonly command: string
}

/** A process of this machine, or undefined when it has ended. */
function running(pid: number): Running | undefined {
  try {
    if (process.platform !== 'linux') {
      const line = execFileSync('ps', ['-o', 'ppid=,args=', '-p', String(pid)], { encoding: 'utf8' })
      const [, parent = '', command = ''] = /^ *(\d+) +(.*)/u.exec(line) ?? []
      return { parent: Number(parent), command }
    }
    // The name of the program is in brackets and may contain any character; state and parent follow it.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const [, parent = ''] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return { parent: Number(parent), command: readFileSync(`/proc/${pid}/cmdline`, 'utf8') }
  } catch {
    return undefined
  }
}

/**
 * Ends this process like SIGTERM when the `npm start` that runs it has ended: a killed npm forwards no signal. Between
 * the two there may be a shell, which still waits. Has no effect without npm, and on Windows, where a process is not
 * notified of its parent's end.
 *
 * @param script a part of the command that npm runs
 */
export function endWithNpm(script: string): void {
  if (process.env['npm_lifecycle_event'] !== 'start' || process.platform === 'win32') return
  const parent = process.ppid
  const found = running(parent)
  const npm = found?.command.includes(script) === true ? found.parent : undefined
  const isGone = () => process.ppid !== parent || (npm !== undefined && running(parent)?.parent !== npm)
  setInterval(
    () => {
      if (isGone()) process.kill(process.pid, 'SIGTERM')
    },
    process.platform === 'linux' ? 500 : 5000,
  ).unref()
}
