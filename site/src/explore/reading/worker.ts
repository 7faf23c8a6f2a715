import { Explorer, type Progress } from './explorer.ts'
import type { Answers, Request, Response } from './messages.ts'
import { ReadingError } from './ranged-file.ts'

/** Reads and counts in a worker, so that the page stays responsive. */

let explorer: Explorer | undefined
let before: Promise<unknown> = Promise.resolve()

addEventListener('message', ({ data, ports: [port] }: MessageEvent<Request>) => {
  const respond = (response: Response): void => port?.postMessage(response, { transfer: [] })
  // In sequence: a file is for the selection before its request.
  before = before
    .then(() => answerTo(data, (share) => respond({ share })))
    .then(
      (answer) => respond({ answer }),
      (error: unknown) =>
        respond({
          problem: error instanceof ReadingError ? error.code : 'DAMAGED',
          reason: error instanceof Error ? error.message : String(error),
        }),
    )
})

async function answerTo(request: Request, onProgress: Progress): Promise<Answers[keyof Answers]> {
  if (request.kind === 'open') {
    explorer = await Explorer.open(request.files, onProgress)
    const { facets, lists, wholeBytes } = explorer
    return { facets, lists, wholeBytes }
  }
  if (explorer === undefined) throw new ReadingError('DAMAGED', 'nothing is open')
  return request.kind === 'choose'
    ? explorer.choose(request.selection, onProgress)
    : explorer.file(request.form, onProgress)
}
