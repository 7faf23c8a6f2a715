import type { Registry } from '@openfountain/core'
import type { Endpoint } from '../endpoint.ts'
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
}

/** The whole map of the API, in the order in which the document tells it. */
export function endpointsOf(foundation: Foundation): readonly Endpoint[] {
  const data = [
    ...serviceEndpoints(foundation),
    ...waypointEndpoints(foundation),
    ...userEndpoints,
    ...reviewEndpoints,
    ...statisticsEndpoints,
    ...logEndpoints,
    ...areaEndpoints,
    ...sourceEndpoints,
    ...exportEndpoints(foundation),
  ]
  return [...data, ...documentEndpoints(data, foundation)]
}
