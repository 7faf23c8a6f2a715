import { Source } from '@openfountain/core'
import { z } from 'zod'
import { endpoint, type Endpoint } from '../endpoint.ts'

export const sourceEndpoints: readonly Endpoint[] = [
  endpoint({
    route: 'GET /api/sources',
    name: 'listSources',
    tag: 'Sources',
    summary: 'Where imported data came from, and under which licence',
    who: 'anyone',
    success: {
      description: 'All sources, by id',
      body: z.object({ sources: z.array(Source) }),
    },
    run: async ({ registry }) => ({ sources: await registry.sources.list() }),
  }),
]
