import { Head, LoggedEntry } from '@openfountain/core'
import { z } from 'zod'
import { endpoint, type Endpoint, integerOr, nextPage, Reply } from '../endpoint.ts'

const tag = 'Changes'

const pageSize = { default: 100, max: 1000 }

/** The whole log: entries of all kinds, with their proofs. */
export const changeEndpoints: readonly Endpoint[] = [
  endpoint({
    route: 'GET /api/changes',
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
