import { ReadingError } from '../reading/ranged-file.ts'
import type { Answers, Response } from '../reading/worker.ts'

/** The page's side of the worker that reads the data: answers a request, or rejects with a ReadingError. */
export type Reader = <Name extends keyof Answers>(
  name: Name,
  of: Parameters<Answers[Name]>[0],
) => Promise<Awaited<ReturnType<Answers[Name]>>>

export function startReader(onProgress: (share: number) => void): Reader {
  const worker = new Worker(new URL('../reading/worker.ts', import.meta.url), { type: 'module' })
  /** The requests without an answer; the worker answers them in turn. */
  const open: { resolve(answer: unknown): void; reject(error: ReadingError): void }[] = []
  worker.addEventListener('error', ({ message }) => {
    for (const { reject } of open.splice(0)) reject(new ReadingError('NOT_SENT', message))
  })
  worker.addEventListener('message', ({ data }: MessageEvent<Response>) => {
    if ('share' in data) return onProgress(data.share)
    const request = open.shift()
    if ('problem' in data) request?.reject(new ReadingError(data.problem, data.reason))
    else request?.resolve(data.answer)
  })
  return (name, of) =>
    new Promise((resolve, reject) => {
      open.push({ resolve: (answer) => resolve(answer as never), reject })
      worker.postMessage({ name, of }, { transfer: [] })
    })
}
