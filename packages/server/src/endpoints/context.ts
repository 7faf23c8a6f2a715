import type { Registry } from '@openfountain/core'
import type { LaterText } from '../http/text-stream.ts'
import type { ListMaker } from '../list-maker.ts'
import type { AppOptions } from '../options.ts'
import type { Question } from '../question.ts'

/** What endpoints are made from. */
export interface Foundation {
  readonly registry: Registry
  readonly options: AppOptions
  readonly version: string
  /** Makes long lists beside the thread that serves; undefined when no other thread can open the registry. */
  readonly lists: ListMaker | undefined
  /** Returns the text that answers a question: made on this thread when that is light, else on another one. */
  readonly answer: (question: Question) => Promise<string> | LaterText
}
