import { Head, LoggedEntry } from '@openfountain/core'
import { z } from 'zod'
import { endpoint, type Endpoint, integer, integerOr, pathId } from '../endpoint.ts'
import { malformed } from '../problem.ts'

const tag = 'Changes'

const pageSize = { default: 100, max: 1000 }

const Hash = z.string().meta({ description: 'SHA-256 in lower-case hexadecimal' })
const Proof = z.array(Hash).meta({ description: 'Hashes from the leaf upwards' })

/** The whole log: entries of all kinds, with their proofs. */
export const changeEndpoints: readonly Endpoint[] = [
  endpoint({
    method: 'GET',
    route: '/api/changes',
    name: 'listChanges',
    tag,
    summary: 'Entries of all kinds, oldest first, with what proves them',
    description:
      'To follow the log, ask with `after=` the last id you have. An entry commits to each of its fields: `seed` gives the salts of all fields; once fields were redacted, `salts` has those of the others and `commitments` what the redacted ones were committed to. `origin` changes when an older backup was restored, whose newest entries are then others than those you have.',
    who: 'anyone',
    query: z.object({
      after: integerOr(0, {}, 'Only entries with a greater id'),
      limit: integerOr(pageSize.default, { min: 1, max: pageSize.max }, 'How many'),
    }),
    success: {
      status: 200,
      description: 'A page of entries, the head of the log, and which line of history it is',
      body: z.object({
        changes: z.array(LoggedEntry),
        head: Head,
        origin: z.string().meta({ description: 'Which line of history this is, in hexadecimal' }),
      }),
    },
    run: async ({ registry, query }) => {
      const changes = await registry.changes.entries(query.after, query.limit)
      // Read after the entries, so that the head covers all of them.
      const [head, origin] = await Promise.all([registry.changes.head(), registry.changes.origin()])
      return { changes, head, origin }
    },
  }),
  endpoint({
    method: 'GET',
    route: '/api/changes/consistency',
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
      status: 200,
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
    method: 'GET',
    route: '/api/changes/{id}/inclusion',
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
      status: 200,
      description: 'The hash of the entry’s leaf, the head of the tree, and the proof',
      body: z.object({ leaf: Hash, head: Head, proof: Proof }),
    },
    errors: ['NOT_FOUND'],
    run: ({ registry, path, query }) => registry.changes.inclusion(path.id, query.size),
  }),
]
