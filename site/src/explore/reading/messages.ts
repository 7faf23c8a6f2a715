import type { Selection } from '../selection.ts'
import type { Download, Result } from './explorer.ts'
import type { FormName } from './files.ts'
import type { ExploredFile, ReadingProblem } from './ranged-file.ts'

/** Requests to the worker, each sent with a port for its answer. */
export type Request =
  | { readonly kind: 'open'; readonly files: readonly ExploredFile[] }
  | { readonly kind: 'choose'; readonly selection: Selection }
  | { readonly kind: 'file'; readonly form: FormName }

export interface Opened {
  readonly facets: readonly string[]
  readonly lists: readonly string[]
  /** Bytes of whole files from a host without range requests; 0 otherwise. */
  readonly wholeBytes: number
}

/** The worker's answer to each kind of request. */
export interface Answers {
  readonly open: Opened
  readonly choose: Result
  readonly file: Download
}

/** Messages about a request: its progress, then its answer or the error. */
export type Response =
  | { readonly share: number }
  | { readonly answer: Answers[keyof Answers] }
  | { readonly problem: ReadingProblem; readonly reason: string }
