import { Head, LogEntry, PublicUser, Waypoint, LoggedEntry } from '@openfountain/core'
import { Action } from '@openfountain/core/internal'
import { limits, pages } from '@openfountain/core/rules'
import { z } from 'zod'
import {
  endpoint,
  type Endpoint,
  integer,
  integerOr,
  nextPage,
  pathId,
  Reply,
  words,
  Page,
} from '../endpoint.ts'
import { malformed, notFound } from '../problem.ts'
import { tileOfPath } from '@openfountain/tlog'
import { inert, longCache, publicCache } from '../http/headers.ts'

const read = { tag: 'Logs', who: 'anyone' } as const
const changesPage = { default: 100, max: 1000 }

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

const plain = 'text/plain; charset=utf-8'
const binary = 'application/octet-stream'

const file = { ...read, freshness: 'never', errors: ['NOT_FOUND'] } as const

const part = z.string().meta({ description: 'A part of the path of a tile, as C2SP tlog-tiles has it' })
const Parts = z.object({ level: part, first: part })

const tileAt = (names: readonly ('second' | 'third')[]): Endpoint =>
  endpoint({
    ...file,
    route: `GET /api/log/tile/{level}/{first}${names.map((name) => `/{${name}}` as const).join('')}`,
    name: `getLogTile${names.length === 0 ? '' : names.length + 1}`,
    summary: 'A tile of the log: 256 hashes, or entries, or fewer at its end',
    description:
      'As C2SP tlog-tiles has them: `tile/0/x001/234`, `tile/0/001.p/7`, `tile/entries/000`. Entries are the data of leaves, with commitments and no text. A tile never changes.',
    path: Parts.extend(Object.fromEntries(names.map((name) => [name, part]))),
    success: {
      description: 'The tile',
      media: { [binary]: 'Hashes, or entries after their lengths' },
    },
    async run({ registry, path }) {
      const tile = tileOfPath(`tile/${Object.values(path).join('/')}`)
      if (tile === undefined) throw notFound('Tile', 'GET /api/log/checkpoint says how far the log goes')
      const bytes = Uint8Array.from(await registry.changes.tile(tile))
      const headers = Object.fromEntries([...inert, longCache, ['content-type', binary]])
      return new Response(bytes, { headers })
    },
  })

/** The log of waypoints, the head and the entries of the whole log, and files that prove it. */
export const logEndpoints: readonly Endpoint[] = [
  endpoint({
    ...read,
    route: 'GET /api/logs',
    name: 'listLogs',
    summary: 'What was done to waypoints, newest first',
    description:
      'Ids count all entries of the log, also those about users, reviews, sources and the rest, so that there are gaps here. GET /api/changes has the entries of all kinds, with what proves them.',
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
    ...read,
    route: 'GET /api/logs/recent',
    name: 'getRecentLogs',
    summary: 'What happened last, with names',
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
    ...read,
    route: 'GET /api/logs/head',
    name: 'getLogHead',
    summary: 'How far the log goes',
    description:
      '`hash` is the root of the Merkle tree over all entries (RFC 9162, SHA-256). With an older head, GET /api/logs/consistency proves that history was not rewritten.',
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
    ...read,
    route: 'GET /api/logs/consistency',
    name: 'getConsistency',
    summary: 'The proof that the log only grew between two sizes',
    description: 'As RFC 9162, section 2.1.4 has it. A size is the id of a head.',
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
    ...read,
    route: 'GET /api/logs/{id}',
    name: 'getLog',
    summary: 'One entry, with who and what',
    path: z.object({ id: pathId('log entry') }),
    success: { description: 'The entry', body: z.object({ log: DescribedEntry }) },
    errors: ['NOT_FOUND'],
    run: async ({ registry, path }) => ({ log: await registry.changes.get(path.id) }),
  }),
  endpoint({
    ...read,
    route: 'GET /api/logs/{id}/proof',
    name: 'getInclusion',
    summary: 'The proof that an entry is in the log',
    description: 'As RFC 9162, section 2.1.3 has it.',
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
  endpoint({
    ...file,
    route: 'GET /api/log/checkpoint',
    name: 'getLogCheckpoint',
    summary: 'How far the log goes, signed',
    description: 'A signed note after C2SP tlog-checkpoint. NOT_FOUND where the log has no key.',
    success: { description: 'The note', media: { 'text/plain': 'The note' } },
    run: async ({ registry }) =>
      new Page((await registry.changes.checkpoint()).note, plain, [...inert, publicCache]),
  }),
  endpoint({
    ...file,
    route: 'GET /api/log/keys',
    name: 'getLogKeys',
    summary: 'The keys that verify checkpoints',
    description:
      'Verifier keys after C2SP signed-note, one a line. Keep them: a key from elsewhere proves more.',
    success: { description: 'The keys', media: { 'text/plain': 'Verifier keys, one a line' } },
    async run({ registry }) {
      const keys = await registry.changes.keys()
      if (keys === undefined) throw notFound('Key of the log', 'the log is not signed here')
      return new Page(keys.map((key) => `${key}\n`).join(''), plain, [...inert, publicCache])
    },
  }),
  ...([[], ['second'], ['second', 'third']] as const).map(tileAt),
  endpoint({
    ...read,
    tag: 'Changes',
    route: 'GET /api/changes',
    name: 'listChanges',
    summary: 'Entries of all kinds, oldest first, with what proves them',
    description:
      'To follow the log, ask with `after=` the last id you have. An entry commits to each of its fields: `seed` gives the salts of all fields; once fields were redacted, `salts` has those of the others and `commitments` what the redacted ones were committed to. `origin` changes when an older backup was restored, whose newest entries are then others than those you have.',
    query: z.object({
      after: integerOr(0, {}, 'Only entries with a greater id'),
      limit: integerOr(changesPage.default, { min: 1, max: changesPage.max }, 'How many'),
    }),
    success: {
      description: 'A page of entries, the head of the log, and which line of history it is',
      body: z.object({
        changes: z.array(LoggedEntry),
        head: Head,
        origin: z.string().meta({ description: 'Which line of history this is, in hexadecimal' }),
      }),
    },
    run: async (call) => {
      const { registry, query } = call
      const changes = await registry.changes.entries(query.after, query.limit)
      // Read after the entries, so that the head covers all of them.
      const [head, origin] = await Promise.all([registry.changes.head(), registry.changes.origin()])
      return new Reply({ changes, head, origin }, nextPage(call, changes))
    },
  }),
]
