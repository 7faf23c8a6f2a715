import { Head, LogEntry, PublicUser, Waypoint } from '@openfountain/core'
import { Action } from '@openfountain/core/internal'
import { limits, pages } from '@openfountain/core/rules'
import { z } from 'zod'
import { endpoint, type Endpoint, integer, integerOr, nextPage, pathId, Reply, words } from '../endpoint.ts'
import { malformed } from '../problem.ts'

const tag = 'Logs'

const Hash = z.string().meta({ description: 'SHA-256 in lower-case hexadecimal' })
const Proof = z.array(Hash).meta({ description: 'Hashes from the leaf upwards' })

const PersonName = z.string().optional().meta({ description: 'Absent for somebody who has left' })

const { badge } = PublicUser.shape
const { nameIsMade } = Waypoint.shape

const DescribedEntry = LogEntry.extend({
  user: z.object({ id: z.string(), name: PersonName, level: z.int(), badge }),
  waypoint: z.object({
    id: z.int(),
    name: z.string(),
    nameIsMade,
    latitude: z.number(),
    longitude: z.number(),
  }),
}).meta({ id: 'DescribedLogEntry' })

const RecentEntry = LogEntry.extend({
  user: z.object({ name: PersonName, badge }),
  waypoint: z.object({ name: z.string(), nameIsMade }),
}).meta({ id: 'RecentLogEntry' })

/** The log of waypoints, and the head of the whole log. */
export const logEndpoints: readonly Endpoint[] = [
  endpoint({
    route: 'GET /api/logs',
    name: 'listLogs',
    tag,
    summary: 'What was done to waypoints, newest first',
    description:
      'Ids count all entries of the log, also those about users, reviews, sources and the rest, so that there are gaps here. GET /api/changes has the entries of all kinds, with what proves them.',
    who: 'anyone',
    query: z.object({
      bubblerId: integer({}, 'Only entries of this waypoint').optional(),
      userId: words(limits.userId, 'Only what this user did').optional(),
      action: z
        .enum(Action.options, { error: `must be one of ${Action.options.join(', ')}` })
        .meta({ description: 'Only such actions' })
        .optional(),
      order: z
        .enum(['asc', 'desc'], { error: 'must be asc or desc' })
        .meta({ description: 'desc, the default, is newest first' })
        .default('desc'),
      after: integer({}, 'Only entries with a greater id').optional(),
      limit: integerOr(pages.logs.default, { min: 1, max: pages.logs.max }, 'How many'),
      offset: integerOr(0, {}, 'How many to leave out at the beginning'),
    }),
    success: {
      description: 'A page of entries, and how many there are',
      body: z.object({ logs: z.array(LogEntry), total: z.int().min(0), limit: z.int(), offset: z.int() }),
    },
    run: async (call) => {
      const page = await call.registry.changes.list(call.query)
      // Newest first there is no id behind which the next page begins.
      return new Reply(page, call.query.order === 'asc' ? nextPage(call, page.logs) : [])
    },
  }),
  endpoint({
    route: 'GET /api/logs/recent',
    name: 'getRecentLogs',
    tag,
    summary: 'What happened last, with names',
    who: 'anyone',
    query: z.object({
      limit: integerOr(pages.recentLogs.default, { min: 1, max: pages.recentLogs.max }, 'How many'),
    }),
    success: {
      description: 'Entries, most recent first; `total` is how many are returned',
      body: z.object({ logs: z.array(RecentEntry), total: z.int().min(0) }),
    },
    run: async ({ registry, query }) => {
      const logs = await registry.changes.recent(query)
      return { logs, total: logs.length }
    },
  }),
  endpoint({
    route: 'GET /api/logs/head',
    name: 'getLogHead',
    tag,
    summary: 'How far the log goes',
    description:
      '`hash` is the root of the Merkle tree over all entries (RFC 9162, SHA-256). With an older head, GET /api/logs/consistency proves that history was not rewritten.',
    who: 'anyone',
    query: z.object({
      size: integer({}, 'The head as it was with so many entries; default all').optional(),
    }),
    success: {
      description: 'Id and time of the newest entry, and the root; id 0 while there is none',
      body: z.object({ head: Head }),
    },
    run: async ({ registry, query }) => ({ head: await registry.changes.head(query.size) }),
  }),
  endpoint({
    route: 'GET /api/logs/consistency',
    name: 'getConsistency',
    tag,
    summary: 'The proof that the log only grew between two sizes',
    description: 'As RFC 9162, section 2.1.4 has it. A size is the id of a head.',
    who: 'anyone',
    query: z.object({
      from: integer({}, 'The number of entries of the older tree'),
      to: integer({}, 'The number of entries of the newer tree; default all').optional(),
    }),
    success: {
      description: 'The head of the newer tree, and the proof',
      body: z.object({ head: Head, proof: Proof }),
    },
    run: async ({ registry, query: { from, to } }) => {
      const { id } = await registry.changes.head()
      const size = to ?? id
      if (size > id) throw malformed('to', `must be at most ${id}, the number of entries`)
      if (from > size) throw malformed('from', `must be at most ${size}, the size of the newer tree`)
      return registry.changes.consistency(from, size)
    },
  }),
  endpoint({
    route: 'GET /api/logs/{id}',
    name: 'getLog',
    tag,
    summary: 'One entry, with who and what',
    who: 'anyone',
    path: z.object({ id: pathId('log entry') }),
    success: { description: 'The entry', body: z.object({ log: DescribedEntry }) },
    errors: ['NOT_FOUND'],
    run: async ({ registry, path }) => ({ log: await registry.changes.get(path.id) }),
  }),
  endpoint({
    route: 'GET /api/logs/{id}/proof',
    name: 'getInclusion',
    tag,
    summary: 'The proof that an entry is in the log',
    description: 'As RFC 9162, section 2.1.3 has it.',
    who: 'anyone',
    path: z.object({ id: pathId('log entry') }),
    query: z.object({
      size: integer({}, 'The number of entries of the tree; default all').optional(),
    }),
    success: {
      description: 'The hash of the entry’s leaf, the head of the tree, and the proof',
      body: z.object({ leaf: Hash, head: Head, proof: Proof }),
    },
    errors: ['NOT_FOUND'],
    run: ({ registry, path, query }) => registry.changes.inclusion(path.id, query.size),
  }),
]
