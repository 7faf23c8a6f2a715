import { isOnServer } from '@openfountain/core/internal'
import type { Endpoint } from '../endpoint.ts'
import { ListMaker } from '../list-maker.ts'
import { SignIns } from '../sign-ins.ts'
import { areaEndpoints } from './areas.ts'
import { authEndpoints } from './auth.ts'
import { logEndpoints } from './logs.ts'
import { exportEndpoints } from './exports.ts'
import { feedEndpoints } from './feeds.ts'
import { followEndpoints } from './follows.ts'
import { deviceEndpoints } from './devices.ts'
import { moderationEndpoints } from './moderation.ts'
import { ogcEndpoints } from './ogc.ts'
import { open311Endpoints } from './open311.ts'
import { observationEndpoints } from './observations.ts'
import { passkeyEndpoints } from './passkeys.ts'
import { photoEndpoints } from './photos.ts'
import { providerEndpoints } from './providers.ts'
import { reportEndpoints } from './reports.ts'
import { reviewEndpoints } from './reviews.ts'
import {
  aboutOf,
  documentEndpoints,
  serviceEndpoints,
  sourceEndpoints,
  statisticsEndpoints,
} from './service.ts'
import { userEndpoints } from './users.ts'
import { waypointEndpoints } from './waypoints.ts'
import { webhookEndpoints } from './webhooks.ts'
import type { EndpointContext } from '../options.ts'

function accountEndpoints({ registry, options }: Pick<EndpointContext, 'registry' | 'options'>) {
  if (options.resolveActor !== undefined) return []
  const signIns = new SignIns(registry, options)
  return [
    ...authEndpoints(signIns, options),
    ...passkeyEndpoints(signIns),
    ...providerEndpoints(signIns, options),
    ...deviceEndpoints(signIns),
  ]
}

export function endpointsOf(given: Omit<EndpointContext, 'lists'>): readonly Endpoint[] {
  const { registry, options } = given
  // No other thread can open a database in memory.
  const lists =
    registry.database === ':memory:' || isOnServer(registry.database) ? undefined : new ListMaker(registry)
  const context = { ...given, lists }
  const data = [
    ...serviceEndpoints(context),
    ...waypointEndpoints(context),
    ...userEndpoints,
    ...accountEndpoints(context),
    ...followEndpoints(context),
    ...reviewEndpoints(context),
    ...photoEndpoints,
    ...observationEndpoints(options),
    ...reportEndpoints,
    ...moderationEndpoints,
    ...statisticsEndpoints,
    ...logEndpoints,
    ...feedEndpoints(context),
    ...webhookEndpoints(context),
    ...areaEndpoints,
    ...sourceEndpoints,
    ...exportEndpoints(context),
    ...ogcEndpoints(registry, aboutOf(context)),
    ...open311Endpoints(context),
  ]
  return [...data, ...documentEndpoints(data, context)]
}
