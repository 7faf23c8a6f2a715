import { Explorer, type Progress } from './explorer.ts'
import type { Answers, Request, Response } from './messages.ts'
import { ReadingError } from './reading-error.ts'

/** Reads and counts in a worker, so that the page stays responsive. */

let explorer: Explorer | undefined
let before: Promise<unknown> = Promise.resolve()

const respond = (response: Response): void => postMessage(response)

addEventListener('message', ({ data }: MessageEvent<Request>) => {
  // In sequence: a file is for the selection before its request.
  before = before.then(() => handle(data))
})

async function handle(request: Request): Promise<void> {
  const { id } = request
  try {
    respond({
      id,
      kind: 'done',
      answer: await answerTo(request, (share) => respond({ id, kind: 'progress', share })),
    })
  } catch (error) {
    const problem = error instanceof ReadingError ? error.code : 'DAMAGED'
    respond({ id, kind: 'failed', problem, reason: error instanceof Error ? error.message : String(error) })
  }
}

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
