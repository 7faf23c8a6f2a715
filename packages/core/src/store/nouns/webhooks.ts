import { sql } from 'kysely'
import type { StoredEntry } from '../../log/entry.ts'
import type { StoredWebhook, Worker } from '../../log/nouns.ts'
import { stateReads } from '../counters.ts'
import { storedEntryOf, storing, type Row } from '../rows.ts'
import { build, query, type Reading, subject, together, whole } from '../sql/query.ts'

const all = query(() => build.selectFrom('webhooks').selectAll().orderBy('createdAt').orderBy('id')).map(
  (row) => storing.webhook.from(row as never),
)
const workers = query(() => build.selectFrom('workers').selectAll()).map((row) =>
  storing.worker.from(row as never),
)
const upTo = query<Row<'entries'>>(
  () => sql`select * from entries where subject = 'waypoint' and "subjectId" = ${subject('waypoint')}
    and id <= ${whole('entry')} order by id`,
).map(storedEntryOf)

export interface WebhooksFound {
  /** The oldest first. */
  readonly webhooks: StoredWebhook[]
  readonly worker: Worker | undefined
  /** Which line of history this is, and the id of its newest entry. */
  readonly origin: string
  readonly newest: number
}

export const webhookReads = {
  *found(): Reading<WebhooksFound> {
    const [webhooks, worker, state] = yield* together(all.all(), workers.get(), stateReads.line())
    return { webhooks, worker, ...state }
  },
  /** Entries about a waypoint up to one of them, or of its time, oldest first. */
  historyUpTo: (waypoint: number, entry: number): Reading<StoredEntry[]> => upTo.all({ waypoint, entry }),
}
