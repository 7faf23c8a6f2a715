import { Observation, ObservationInput, Status, type Registry } from '@openfountain/core'
import { parse } from '@openfountain/core/internal'
import { freshness, observing, pages } from '@openfountain/core/rules'
import { z } from 'zod'
import { endpoint, type Endpoint, day, integer, integerOr, nextPage, Reply } from '../endpoint.ts'
import { TextStream } from '../http/text-stream.ts'
import type { AppOptions } from '../options.ts'
import { Problem } from '../problem.ts'

const tag = 'Observations'
const read = { tag, who: 'anyone' } as const

/** Validity of states, in seconds. */
const validitySeconds = 86_400

async function* statusTexts(
  { observations }: Registry,
  query: { readonly seenSince?: string | undefined },
  opening: string,
): AsyncGenerator<string> {
  yield `${opening},"asOf":"${await observations.today()}","ttl":${validitySeconds},"states":{`
  let separator = ''
  for await (const { id, status } of observations.statuses(query)) {
    yield `${separator}"${id}":${JSON.stringify(status)}`
    separator = ','
  }
  yield '}}'
}

const days = (n: number): string => `${n} days`

const passersByKinds: ReadonlySet<string> = new Set(observing.passersByKinds)

/** @throws Problem UNAUTHORIZED for what passers-by may not say; INVALID_INPUT */
function mustBeForPassersBy(body: unknown): void {
  if (!passersByKinds.has(parse(ObservationInput, body).kind))
    throw new Problem('UNAUTHORIZED', {
      message: `Sign in to say this: without an account it is ${observing.passersByKinds.join(' or ')} alone`,
    })
}

export const observationEndpoints = ({ openObservations = false }: AppOptions): readonly Endpoint[] => [
  endpoint({
    ...read,
    route: 'GET /api/observations',
    name: 'listObservations',
    summary: 'What people saw at a waypoint',
    description:
      'Who it was is not known to anybody here: `observer` is a pseudonym that holds for this waypoint alone. What people saw who were not signed in is not among them.',
    query: z.object({
      bubblerId: integer({}, 'The waypoint'),
      limit: integerOr(pages.observations.default, { min: 1, max: pages.observations.max }, 'How many'),
      after: integerOr(0, {}, 'Only with a greater id, to go through the list in pages'),
    }),
    success: {
      description: 'The observations, by id',
      body: z.object({ observations: z.array(Observation) }),
    },
    run: async (call) => {
      const { registry, query } = call
      // No waypoint has the id 0.
      const observations = query.bubblerId === 0 ? [] : await registry.observations.list(query)
      return new Reply({ observations }, nextPage(call, observations))
    },
  }),
  endpoint({
    ...read,
    route: 'GET /api/status.json',
    name: 'listStatuses',
    summary: 'Whether waypoints give water today, by id',
    description:
      'As the `status.json` of an export, as of now, with the whole status. Without those that are `unconfirmed`, as is each waypoint that is not there. `ttl` is in seconds: states age by the day.',
    query: z.object({
      seenSince: day(
        'Only those at which passers-by saw something on this day (UTC) or later; what others saw is in the log',
      ).optional(),
    }),
    success: {
      description: 'The statuses by the ids of their waypoints, ascending',
      body: z.object({
        asOf: z.iso.date().meta({ description: 'The day in UTC' }),
        ttl: z.int().positive(),
        states: z.record(z.string(), Status),
      }),
    },
    isOfDay: () => true,
    run: ({ registry, query, opening }) => new TextStream(statusTexts(registry, query, opening)),
  }),
  endpoint({
    route: 'POST /api/observations',
    name: 'createObservation',
    tag,
    summary: 'Tell whether a waypoint gives water',
    description: `One person makes it \`reported\`; two, or a moderator or an API token, make it \`broken\`, or \`gone\`, which asks the moderators. A newer \`works\` by somebody near it outweighs that. \`works\` is good for ${days(freshness.works)}, \`broken\` for ${days(freshness.broken)}, \`dry\` for ${days(freshness.dry)}. The position is not kept. XP is granted once the day is over. Where observing is open to passers-by, also for whoever is not signed in, from pages of permitted origins: ${observing.passersByKinds.map((kind) => `\`${kind}\``).join(' and ')} alone, or, with open observations, anything; kept for ${days(observing.passersByDays)}, outside the log, without text, good for \`reported\` at most, and never against what somebody with an account said. So is what an account that signed up by itself says against a waypoint in its first hours.`,
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
    run: async (call) => {
      const { registry, body, actor } = call
      if (actor.kind === 'anonymous' && !openObservations) mustBeForPassersBy(body)
      // Anonymous callers of unknown network count as one.
      const caller = actor.kind === 'anonymous' ? { network: call.network() ?? '' } : {}
      const observation = await registry.observations.create(body as ObservationInput, actor, caller)
      return { observation, status: await registry.observations.status(observation.bubblerId) }
    },
    repeated: async ({ registry }, { subject = 0 }) => {
      const observation = await registry.observations.made(subject)
      return { observation, status: await registry.observations.status(observation.bubblerId) }
    },
  }),
]
