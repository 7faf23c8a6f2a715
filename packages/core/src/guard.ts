import { once } from 'node:events'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'

/** The guard of a process, which is loaded before its program. */

export interface Guard {
  /** Bytes of resident memory at which it ends itself. */
  readonly memory: number
  /** The process that started it, without which it ends. */
  readonly parent: number
}

/**
 * Ends the process when it holds too much memory, or its parent has ended. A thread of its own: a parser that loops
 * notices neither, and a limit of V8's heap does not bound what SQLite and buffers hold.
 */
function watch({ memory, parent }: Guard): void {
  setInterval(() => {
    if (process.memoryUsage.rss() > memory || process.ppid !== parent) process.kill(process.pid, 'SIGKILL')
  }, 20)
  parentPort?.postMessage('watching', [])
}

if (isMainThread) {
  const guard = JSON.parse(process.argv[2] ?? '') as Guard
  const watching = new Worker(new URL(import.meta.url), { workerData: guard, execArgv: [] })
  await once(watching, 'message')
  watching.unref()
  // A terminal sends Ctrl-C to all processes of a group; the parent decides what happens then.
  process.on('SIGINT', () => {})
} else watch(workerData as Guard)
