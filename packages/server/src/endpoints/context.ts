import type { Registry } from '@openfountain/core'
import type { ListMaker } from '../list-maker.ts'
import type { Metrics } from '../metrics.ts'
import type { AppOptions } from '../options.ts'

/** What endpoints are made from, and share. */
export interface EndpointContext {
  readonly registry: Registry
  readonly options: AppOptions
  readonly version: string
  /** Undefined where nobody may read them. */
  readonly metrics?: Metrics | undefined
  /** Makes long lists beside the thread that serves; undefined when no other thread can open the registry. */
  readonly lists: ListMaker | undefined
}
