import type { Registry, RegistryOptions, WaypointFilterInput } from '@openfountain/core'
import { type ReviewsQuery, served } from '@openfountain/core/internal'
import { on } from 'node:events'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { MessageChannel, Worker, type MessagePort } from 'node:worker_threads'

/** A list to make: in JSON after `opening`, the text up to its first member, or in a format. */
export type ListTask =
  | { readonly list: 'waypoints'; readonly filter: WaypointFilterInput; readonly opening: string }
  | { readonly list: 'reviews'; readonly filter: ReviewsQuery; readonly opening: string }
  | {
      readonly list: 'formatted waypoints'
      readonly filter: WaypointFilterInput
      /** The module that exports the format in `waypointFormats`. */
      readonly module: string
      readonly mediaType: string
    }

export async function* jsonList(
  registry: Registry,
  task: Extract<ListTask, { list: 'waypoints' | 'reviews' }>,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const utf8 = new TextEncoder()
  if (task.list === 'waypoints') yield* served(registry).waypointPages(task.filter, task.opening)
  else {
    let start = task.opening
    for await (const texts of served(registry).reviews(task.filter)) {
      yield utf8.encode(start + texts.join(','))
      start = ','
    }
    if (start !== ',') yield utf8.encode(start)
  }
  yield utf8.encode(']}')
}

export type WorkerData = Pick<RegistryOptions, 'database' | 'rules' | 'license' | 'author' | 'name'>

/** A list for the thread that makes lists, and the port for its pieces; the reader acknowledges each. */
export interface WorkerRequest {
  readonly task: ListTask
  readonly port: MessagePort
}
/** A piece, whose buffer is transferred; null after the last one. */
export type WorkerResponse = Uint8Array<ArrayBuffer> | Error | null

/** The thread ends after this idle time, with all that it has in memory. */
const idleMilliseconds = 600_000

/** The worker's file is beside this one, as source or built. */
const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
const workerFile = new URL(`list-worker.${extension}`, import.meta.url)

/** Makes long lists on a thread with its own connection, which starts with the first and ends when idle. */
export class ListMaker {
  readonly #data: WorkerData
  /** Ends each list that is being made. */
  readonly #running = new Set<AbortController>()
  #worker: Worker | undefined
  #idleTimer: NodeJS.Timeout | undefined

  constructor(registry: Pick<Registry, 'database' | 'rules' | 'license' | 'author' | 'name'>) {
    if (!existsSync(workerFile))
      throw new Error(
        `${fileURLToPath(workerFile)} is missing: a bundle needs it beside its own file, as docs/guides/embedding.md says`,
      )
    const { database, rules, license, author, name } = registry
    this.#data = { database, rules, license, author, name }
  }

  /** The pieces of a list, made shortly before they are read; leaving the loop stops it. */
  async *pieces(task: ListTask): AsyncGenerator<Uint8Array> {
    const worker = this.#runningWorker()
    const running = new AbortController()
    const { port1, port2 } = new MessageChannel()
    this.#running.add(running)
    worker.postMessage({ task, port: port2 } satisfies WorkerRequest, [port2])
    const received = on(port1, 'message', { signal: running.signal }) as AsyncIterable<[WorkerResponse]>
    try {
      for await (const [piece] of received) {
        if (piece === null) return
        if (piece instanceof Error) throw piece
        port1.postMessage(null)
        yield piece
      }
    } finally {
      port1.close()
      this.#running.delete(running)
      if (this.#running.size === 0) this.#endWhenIdle()
    }
  }

  #runningWorker(): Worker {
    clearTimeout(this.#idleTimer)
    this.#worker?.ref()
    if (this.#worker !== undefined) return this.#worker
    const worker = new Worker(workerFile, {
      workerData: this.#data,
      // With V8's default a list takes a third more memory, and no less time (`npm run bench -- --only list-all`).
      resourceLimits: { maxYoungGenerationSizeMb: 4 },
      // This condition resolves the workspace packages to their sources.
      execArgv: extension === 'ts' ? ['--conditions=openfountain-source'] : [],
    })
    worker.on('error', (error) => this.#fail(worker, error))
    worker.on('exit', () => this.#fail(worker, new Error('The thread that makes lists ended early')))
    this.#worker = worker
    return worker
  }

  #fail(worker: Worker, error: unknown): void {
    if (this.#worker !== worker) return
    this.#worker = undefined
    for (const running of this.#running) running.abort(error)
  }

  #endWhenIdle(): void {
    // A thread keeps the process running, so this is needed after each list.
    this.#worker?.unref()
    this.#idleTimer = setTimeout(() => {
      const worker = this.#worker
      this.#worker = undefined
      void worker?.terminate()
    }, idleMilliseconds)
    this.#idleTimer.unref()
  }
}
