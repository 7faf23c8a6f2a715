import type { Answers, Request, Response } from '../reading/messages.ts'
import { ReadingError } from '../reading/reading-error.ts'

type RequestBody<One> = One extends Request ? Omit<One, 'id'> : never

/** The page's side of the worker that reads the data. */
export class Reader {
  readonly #worker: Worker
  readonly #onProgress: (share: number) => void
  readonly #waiting = new Map<
    number,
    { resolve(answer: Answers[keyof Answers]): void; reject(error: unknown): void }
  >()
  #requests = 0

  constructor(address: string, onProgress: (share: number) => void) {
    this.#onProgress = onProgress
    this.#worker = new Worker(address, { type: 'module' })
    this.#worker.addEventListener('message', ({ data }: MessageEvent<Response>) => this.#take(data))
    this.#worker.addEventListener('error', ({ message }) => {
      for (const { reject } of this.#waiting.values()) reject(new ReadingError('NOT_SENT', message))
      this.#waiting.clear()
    })
  }

  /** @throws ReadingError */
  ask<Kind extends Request['kind']>(
    request: RequestBody<Request> & { readonly kind: Kind },
  ): Promise<Answers[Kind]> {
    const id = (this.#requests += 1)
    return new Promise<Answers[Kind]>((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as (answer: Answers[keyof Answers]) => void, reject })
      this.#worker.postMessage({ ...request, id }, { transfer: [] })
    })
  }

  #take(response: Response): void {
    if (response.kind === 'progress') {
      this.#onProgress(response.share)
      return
    }
    const waiting = this.#waiting.get(response.id)
    this.#waiting.delete(response.id)
    if (response.kind === 'done') waiting?.resolve(response.answer)
    else waiting?.reject(new ReadingError(response.problem, response.reason))
  }
}
