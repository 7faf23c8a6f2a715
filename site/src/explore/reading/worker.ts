import type { FormName, Selection } from '../selection.ts'
import { Explorer, type Progress } from './explorer.ts'
import { ReadingError, type ExploredFile, type ReadingProblem } from './ranged-file.ts'

/** Reads and counts in a worker, so that the page stays responsive. */

let explorer: Explorer | undefined

/** The answers of the worker, by the name of the request. */
const answers = {
  async open(files: readonly ExploredFile[], onProgress: Progress) {
    explorer = await Explorer.open(files, onProgress)
    const { facets, lists, wholeBytes } = explorer
    return { facets, lists, wholeBytes }
  },
  choose: async (selection: Selection, onProgress: Progress) => opened().choose(selection, onProgress),
  file: async (form: FormName, onProgress: Progress) => opened().file(form, onProgress),
  titles: async (ids: readonly number[], onProgress: Progress) => opened().titles(ids, onProgress),
}
export type Answers = typeof answers

function opened(): Explorer {
  if (explorer === undefined) throw new ReadingError('DAMAGED', 'nothing is open')
  return explorer
}

/** Messages about a request: its progress, then its answer or the error. */
export type Response =
  | { readonly share: number }
  | { readonly answer: unknown }
  | { readonly problem: ReadingProblem; readonly reason: string }

interface Request {
  readonly name: keyof Answers
  /** The subject of the request. */
  readonly of: never
}

let before: Promise<unknown> = Promise.resolve()

const respond = (response: Response): void => postMessage(response)

addEventListener('message', ({ data: { name, of } }: MessageEvent<Request>) => {
  // In sequence: a file is for the selection before its request.
  before = before
    .then((): Promise<unknown> => answers[name](of, (share) => respond({ share })))
    .then(
      (answer) => respond({ answer }),
      (error: unknown) =>
        respond({
          problem: error instanceof ReadingError ? error.code : 'DAMAGED',
          reason: error instanceof Error ? error.message : String(error),
        }),
    )
})
