import type { Endpoint } from '../endpoint.ts'
import { DeferredText } from '../http/text-stream.ts'
import { ListMaker } from '../list-maker.ts'
import { resultOf, isLight, type ShortRead } from '../short-read.ts'
import { areaEndpoints } from './areas.ts'
import { changeEndpoints } from './changes.ts'
import { exportEndpoints } from './exports.ts'
import type { EndpointContext } from './context.ts'
import { logEndpoints } from './logs.ts'
import { reviewEndpoints } from './reviews.ts'
import { documentEndpoints, serviceEndpoints } from './service.ts'
import { sourceEndpoints } from './sources.ts'
import { statisticsEndpoints } from './statistics.ts'
import { userEndpoints } from './users.ts'
import { waypointEndpoints } from './waypoints.ts'

/** All endpoints of the API, in the order of the document. */
export function endpointsOf(given: Omit<EndpointContext, 'lists' | 'read'>): readonly Endpoint[] {
  const { registry } = given
  // No other thread can open a database in memory.
  const lists = registry.database === ':memory:' ? undefined : new ListMaker(registry)
  const read = async (one: ShortRead): Promise<string | DeferredText> =>
    lists === undefined || (await isLight(registry, one))
      ? resultOf(registry, one)
      : new DeferredText(() => lists.read(one))
  const context = { ...given, lists, read }
  const data = [
    ...serviceEndpoints(context),
    ...waypointEndpoints(context),
    ...userEndpoints(context),
    ...reviewEndpoints(context),
    ...statisticsEndpoints,
    ...logEndpoints(context),
    ...changeEndpoints(context),
    ...areaEndpoints,
    ...sourceEndpoints(context),
    ...exportEndpoints(context),
  ]
  return [...data, ...documentEndpoints(data, context)]
}
