import type { Registry } from '@openfountain/core'
import type { Endpoint } from '../endpoint.ts'
import { ListMaker } from '../list-maker.ts'
import type { AppOptions } from '../options.ts'
import { areaEndpoints } from './areas.ts'
import { exportEndpoints } from './exports.ts'
import { logEndpoints } from './logs.ts'
import { reviewEndpoints } from './reviews.ts'
import { documentEndpoints, serviceEndpoints } from './service.ts'
import { sourceEndpoints } from './sources.ts'
import { statisticsEndpoints } from './statistics.ts'
import { userEndpoints } from './users.ts'
import { waypointEndpoints } from './waypoints.ts'

/** What endpoints are made from. */
export interface Foundation {
  readonly registry: Registry
  readonly options: AppOptions
  readonly version: string
  /** Makes long lists beside the thread that serves; undefined when no other thread can open the registry. */
  readonly lists: ListMaker | undefined
}

/** The whole map of the API, in the order in which the document tells it. */
export function endpointsOf(given: Omit<Foundation, 'lists'>): readonly Endpoint[] {
  const { registry } = given
  // What is in memory is in this thread alone.
  const lists = registry.database === ':memory:' ? undefined : new ListMaker(registry)
  const foundation = { ...given, lists }
  const data = [
    ...serviceEndpoints(foundation),
    ...waypointEndpoints(foundation),
    ...userEndpoints,
    ...reviewEndpoints(foundation),
    ...statisticsEndpoints,
    ...logEndpoints,
    ...areaEndpoints,
    ...sourceEndpoints,
    ...exportEndpoints(foundation),
  ]
  return [...data, ...documentEndpoints(data, foundation)]
}
