import { ReadingError } from '../reading/ranged-file.ts'
import type { Answers, Response } from '../reading/worker.ts'

/** The page's side of the worker that reads the data: answers a request, or rejects with a ReadingError. */
export type Reader = <Name extends keyof Answers>(
  name: Name,
  of: Parameters<Answers[Name]>[0],
) => Promise<Awaited<ReturnType<Answers[Name]>>>

export function startReader(onProgress: (share: number) => void): Reader {
  const worker = new Worker(new URL('../reading/worker.ts', import.meta.url), { type: 'module' })
  return (name, of) =>
    new Promise((resolve, reject) => {
      const { port1, port2 } = new MessageChannel()
      const fail = ({ message }: ErrorEvent) => reject(new ReadingError('NOT_SENT', message))
      worker.addEventListener('error', fail)
      port1.addEventListener('message', ({ data }: MessageEvent<Response>) => {
        if ('share' in data) return onProgress(data.share)
        worker.removeEventListener('error', fail)
        port1.close()
        if ('problem' in data) reject(new ReadingError(data.problem, data.reason))
        else resolve(data.answer as Awaited<ReturnType<Answers[typeof name]>>)
      })
      port1.start()
      worker.postMessage({ name, of }, { transfer: [port2] })
    })
}
