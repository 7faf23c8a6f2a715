import { Observation, ObservationInput, Status } from '@openfountain/core'
import { freshness, observing, pages } from '@openfountain/core/rules'
import { z } from 'zod'
import { endpoint, type Endpoint } from '../endpoint.ts'
import { integer, integerOr } from '../parameters.ts'

const tag = 'Observations'

const days = (n: number): string => `${n} days`

/** What people saw at waypoints, from which follows whether they give water. */
export const observationEndpoints: readonly Endpoint[] = [
  endpoint({
    method: 'GET',
    route: '/api/observations',
    name: 'listObservations',
    tag,
    summary: 'What people saw at a waypoint',
    description:
      'Who it was is not known to anybody here: `observer` is a pseudonym that holds for this waypoint alone. What people saw who were not signed in is not among them.',
    who: 'anyone',
    query: z.object({
      bubblerId: integer({}, 'The waypoint'),
      limit: integerOr(pages.observations.default, { min: 1, max: pages.observations.max }, 'How many'),
      after: integerOr(0, {}, 'Only with a greater id, to go through the list in pages'),
    }),
    success: {
      status: 200,
      description: 'The observations, by id',
      body: z.object({ observations: z.array(Observation) }),
    },
    run: async ({ registry, query }) => ({
      // No waypoint has the id 0.
      observations: query.bubblerId === 0 ? [] : await registry.observations.list(query),
    }),
  }),
  endpoint({
    method: 'POST',
    route: '/api/observations',
    name: 'createObservation',
    decision: 'createObservation',
    tag,
    summary: 'Tell whether a waypoint gives water',
    description: `One person makes it \`reported\`; two, or a moderator or an API token, make it \`broken\`, or \`gone\`, which asks the moderators. A newer \`works\` by somebody near it outweighs that. \`works\` is good for ${days(freshness.works)}, \`broken\` for ${days(freshness.broken)}, \`dry\` for ${days(freshness.dry)}. The position is not kept. XP is granted once the day is over. Where observations are open to all, also for whoever is not signed in, from pages of permitted origins: kept for ${days(observing.passersByDays)}, outside the log, and good for \`reported\` at most.`,
    who: 'observer',
    body: { schema: ObservationInput },
    success: {
      status: 201,
      description: 'The observation, and what the waypoint is now',
      body: z.object({
        observation: Observation.partial({ id: true, observer: true }),
        status: Status,
      }),
    },
    errors: ['RATE_LIMITED', 'INVALID_COORDINATES'],
    run: async ({ registry, body, actor, network }) => {
      // Those whose network is not known are one.
      const passerBy = actor.kind === 'anonymous' ? { network: network() ?? '' } : {}
      const observation = await registry.observations.create(body as ObservationInput, actor, passerBy)
      return { observation, status: await registry.observations.status(observation.bubblerId) }
    },
    repeated: async ({ registry }, { subject }) => {
      const observation = await registry.observations.get(Number(subject))
      return { observation, status: await registry.observations.status(observation.bubblerId) }
    },
  }),
]
