import { Worker } from 'node:worker_threads'
import type { Registry, RegistryOptions, ReviewFilter, WaypointFilterInput } from '@openfountain/core'
import type { Question } from './question.ts'

/** A list to be made: in JSON after `opening`, which is the text up to its first member, or in a format. */
export type ListTask =
  | { readonly list: 'waypoints'; readonly filter: WaypointFilterInput; readonly opening: string }
  | { readonly list: 'reviews'; readonly filter: ReviewFilter; readonly opening: string }
  /** A short result that takes long to find: one object. */
  | { readonly list: 'answer'; readonly question: Question }
  | {
      readonly list: 'formatted waypoints'
      readonly filter: WaypointFilterInput
      /** The module that has the format in its export `waypointFormats`. */
      readonly module: string
      readonly mediaType: string
    }

/** A list in JSON, piece by piece, each in memory of its own that may be given away. */
export function* jsonList(
  registry: Registry,
  task: Extract<ListTask, { list: 'waypoints' | 'reviews' }>,
): Generator<Uint8Array<ArrayBuffer>> {
  const utf8 = new TextEncoder()
  if (task.list === 'waypoints') yield* registry.waypoints.pages(task.filter, task.opening)
  else {
    let start = task.opening
    for (const texts of registry.reviews.texts(task.filter)) {
      yield utf8.encode(start + texts.join(','))
      start = ','
    }
    if (start !== ',') yield utf8.encode(start)
  }
  yield utf8.encode(']}')
}

/** The options with which the thread opens the registry. */
export type WorkerData = Pick<RegistryOptions, 'database' | 'rules' | 'license' | 'author' | 'name'>

export type ListOrder =
  | { readonly id: number; readonly begin: ListTask; readonly credit: number }
  | { readonly id: number; readonly more: number }
  | { readonly id: number; readonly stop: true }

export type ListNews =
  | { readonly id: number; readonly piece: ArrayBuffer }
  | { readonly id: number; readonly end: true }
  | { readonly id: number; readonly failure: string }

/** Pieces of a list sent ahead; enough that neither side waits for the other, few enough to need little memory. */
const ahead = 3
/** The thread ends after this time without a list to make. */
const restMilliseconds = 15_000

/** The worker's file stands beside this one, as source or built. */
const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
const workerFile = new URL(`list-worker.${extension}`, import.meta.url)

/** Messages about a list that were not read yet. */
class Inbox {
  readonly #news: (ListNews | Error)[] = []
  #waiting: ((news: ListNews | Error) => void) | undefined

  put(news: ListNews | Error): void {
    const waiting = this.#waiting
    this.#waiting = undefined
    if (waiting === undefined) this.#news.push(news)
    else waiting(news)
  }

  take(): Promise<ListNews | Error> {
    const news = this.#news.shift()
    if (news !== undefined) return Promise.resolve(news)
    return new Promise((resolve) => {
      this.#waiting = resolve
    })
  }
}

/**
 * Makes long lists in one thread beside the one that serves, on a connection of its own. The thread starts with the
 * first list and ends when there was none for a while; it does not keep the process alive.
 */
export class ListMaker {
  readonly #data: WorkerData
  readonly #inboxes = new Map<number, Inbox>()
  #worker: Worker | undefined
  #rest: NodeJS.Timeout | undefined
  #last = 0

  constructor(registry: Pick<Registry, 'database' | 'rules' | 'license' | 'author' | 'name'>) {
    const { database, rules, license, author, name } = registry
    this.#data = { database, rules, license, author, name }
  }

  /** The list in pieces, made only a little ahead of being read; leaving the loop stops it. */
  async *pieces(task: ListTask): AsyncGenerator<Uint8Array> {
    const id = ++this.#last
    const inbox = new Inbox()
    const worker = this.#started()
    this.#inboxes.set(id, inbox)
    const order = (given: ListOrder): void => worker.postMessage(given, [])
    order({ id, begin: task, credit: ahead })
    try {
      for (;;) {
        const news = await inbox.take()
        if (news instanceof Error) throw news
        if ('failure' in news) throw new Error(`A list could not be made: ${news.failure}`)
        if ('end' in news) return
        order({ id, more: 1 })
        yield new Uint8Array(news.piece)
      }
    } finally {
      order({ id, stop: true })
      this.#inboxes.delete(id)
      if (this.#inboxes.size === 0) this.#restLater()
    }
  }

  /** The text that answers a question. */
  async answer(question: Question): Promise<string> {
    const utf8 = new TextDecoder()
    let text = ''
    for await (const piece of this.pieces({ list: 'answer', question })) {
      text += utf8.decode(piece, { stream: true })
    }
    return text + utf8.decode()
  }

  #started(): Worker {
    clearTimeout(this.#rest)
    if (this.#worker !== undefined) return this.#worker
    const worker = new Worker(workerFile, {
      workerData: this.#data,
      // Sources find the sources of the other packages by this condition.
      execArgv: extension === 'ts' ? ['--conditions=openfountain-source'] : [],
    })
    worker.unref()
    worker.on('message', (news: ListNews) => this.#inboxes.get(news.id)?.put(news))
    worker.on('error', (error) =>
      this.#lost(worker, error instanceof Error ? error : new Error(String(error))),
    )
    worker.on('exit', () => this.#lost(worker, new Error('The thread that makes lists ended early')))
    this.#worker = worker
    return worker
  }

  #lost(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return
    this.#worker = undefined
    for (const inbox of this.#inboxes.values()) inbox.put(error)
  }

  #restLater(): void {
    this.#rest = setTimeout(() => {
      const worker = this.#worker
      this.#worker = undefined
      void worker?.terminate()
    }, restMilliseconds)
    this.#rest.unref()
  }
}
