import type { Registry, RegistryOptions, WaypointFilterInput } from '@openfountain/core'
import { type ReviewsQuery, served } from '@openfountain/core/internal'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'

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

/** A JSON list in pieces, each in a transferable buffer of its own. */
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

/** Options of the thread's registry. */
export type WorkerData = Pick<RegistryOptions, 'database' | 'rules' | 'license' | 'author' | 'name'>

/** From the serving thread: start a list, send more pieces of it, or stop it. */
export type WorkerRequest =
  | { readonly id: number; readonly start: ListTask; readonly credit: number }
  | { readonly id: number; readonly more: number }
  | { readonly id: number; readonly stop: true }

/** From the thread that makes lists: a piece, the end, or the stack trace of an error. */
export type WorkerResponse =
  | { readonly id: number; readonly piece: ArrayBuffer }
  | { readonly id: number; readonly end: true }
  | { readonly id: number; readonly failure: string }

/** Pieces sent ahead, enough that neither side waits, few enough to save memory. */
const ahead = 3
/** The thread ends after this idle time, with all that it has in memory. */
const idleMilliseconds = 600_000

/** The worker's file is beside this one, as source or built. */
const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
const workerFile = new URL(`list-worker.${extension}`, import.meta.url)

/** Messages about one list, in the order in which they came. */
class Inbox {
  readonly #unread: (WorkerResponse | Error)[] = []
  #waiting: ((message: WorkerResponse | Error) => void) | undefined

  put(message: WorkerResponse | Error): void {
    const waiting = this.#waiting
    this.#waiting = undefined
    if (waiting === undefined) this.#unread.push(message)
    else waiting(message)
  }

  take(): Promise<WorkerResponse | Error> {
    const message = this.#unread.shift()
    if (message !== undefined) return Promise.resolve(message)
    return new Promise((resolve) => {
      this.#waiting = resolve
    })
  }
}

/**
 * Makes long lists on a separate thread with its own connection. The thread starts with the first list, ends after a
 * while without any, and does not keep an idle process running.
 */
export class ListMaker {
  readonly #data: WorkerData
  readonly #inboxes = new Map<number, Inbox>()
  #worker: Worker | undefined
  #idleTimer: NodeJS.Timeout | undefined
  #last = 0

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
    const id = ++this.#last
    const inbox = new Inbox()
    const worker = this.#runningWorker()
    this.#inboxes.set(id, inbox)
    const post = (request: WorkerRequest): void => worker.postMessage(request, [])
    post({ id, start: task, credit: ahead })
    try {
      for (;;) {
        const message = await inbox.take()
        if (message instanceof Error) throw message
        if ('failure' in message) throw new Error(`A list could not be made: ${message.failure}`)
        if ('end' in message) return
        post({ id, more: 1 })
        yield new Uint8Array(message.piece)
      }
    } finally {
      post({ id, stop: true })
      this.#inboxes.delete(id)
      if (this.#inboxes.size === 0) this.#endWhenIdle()
    }
  }

  #runningWorker(): Worker {
    clearTimeout(this.#idleTimer)
    this.#worker?.ref()
    if (this.#worker !== undefined) return this.#worker
    const worker = new Worker(workerFile, {
      workerData: this.#data,
      // This condition resolves the workspace packages to their sources.
      execArgv: extension === 'ts' ? ['--conditions=openfountain-source'] : [],
    })
    worker.on('message', (message: WorkerResponse) => this.#inboxes.get(message.id)?.put(message))
    worker.on('error', (error) =>
      this.#fail(worker, error instanceof Error ? error : new Error(String(error))),
    )
    worker.on('exit', () => this.#fail(worker, new Error('The thread that makes lists ended early')))
    this.#worker = worker
    return worker
  }

  #fail(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return
    this.#worker = undefined
    for (const inbox of this.#inboxes.values()) inbox.put(error)
  }

  #endWhenIdle(): void {
    // The message listener keeps the process running, so this is needed after each list.
    this.#worker?.unref()
    this.#idleTimer = setTimeout(() => {
      const worker = this.#worker
      this.#worker = undefined
      void worker?.terminate()
    }, idleMilliseconds)
    this.#idleTimer.unref()
  }
}
