import type { Registry } from '@openfountain/core'
import type { ListMaker } from '../list-maker.ts'
import type { Metrics } from '../metrics.ts'
import type { AppOptions } from '../options.ts'

export interface EndpointContext {
  readonly registry: Registry
  readonly options: AppOptions
  /** Undefined when the metrics are off. */
  readonly metrics?: Metrics | undefined
  /** Makes long lists on another thread; undefined for databases that no other thread can open. */
  readonly lists: ListMaker | undefined
}
