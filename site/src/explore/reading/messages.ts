import type { Selection } from '../selection.ts'
import type { Download, ExploredFile, Result } from './explorer.ts'
import type { FormName } from './files.ts'
import type { ReadingProblem } from './reading-error.ts'

/** Requests to the worker. Each response has the number of its request. */
export type Request = { readonly id: number } & (
  | { readonly kind: 'open'; readonly files: readonly ExploredFile[] }
  | { readonly kind: 'choose'; readonly selection: Selection }
  | { readonly kind: 'file'; readonly form: FormName }
)

export interface Opened {
  readonly facets: readonly string[]
  readonly lists: readonly string[]
  /** Bytes of whole files from a host without range requests; 0 otherwise. */
  readonly wholeBytes: number
}

/** The worker's response to each kind of request. */
export interface Answers {
  readonly open: Opened
  readonly choose: Result
  readonly file: Download
}

export type Response = { readonly id: number } & (
  | { readonly kind: 'progress'; readonly share: number }
  | { readonly kind: 'done'; readonly answer: Answers[keyof Answers] }
  | { readonly kind: 'failed'; readonly problem: ReadingProblem; readonly reason: string }
)
