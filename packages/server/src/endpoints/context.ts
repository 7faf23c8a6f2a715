import type { Registry } from '@openfountain/core'
import type { DeferredText } from '../http/text-stream.ts'
import type { ListMaker } from '../list-maker.ts'
import type { Metrics } from '../metrics.ts'
import type { AppOptions } from '../options.ts'
import type { ShortRead } from '../short-read.ts'

/** What endpoints are made from, and share. */
export interface EndpointContext {
  readonly registry: Registry
  readonly options: AppOptions
  readonly version: string
  /** Undefined where nobody may read them. */
  readonly metrics?: Metrics | undefined
  /** Makes long lists beside the thread that serves; undefined when no other thread can open the registry. */
  readonly lists: ListMaker | undefined
  /** Reads on this thread when that is light, else on another one. */
  readonly read: (read: ShortRead) => Promise<string | DeferredText>
}
