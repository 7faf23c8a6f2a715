import { Statistics } from '@openfountain/core'
import { endpoint, type Endpoint } from '../endpoint.ts'

/** Counters over the whole registry. */
export const statisticsEndpoints: readonly Endpoint[] = [
  endpoint({
    route: 'GET /api/stats',
    name: 'getStats',
    tag: 'Statistics',
    summary: 'How much there is',
    who: 'anyone',
    success: { description: 'Counters, computed live', body: Statistics },
    run: ({ registry }) => registry.statistics(),
  }),
]
