import { waypointText } from '@openfountain/core/internal'
import type { Difference } from '../difference.ts'
import { isPart, type Edition } from '../edition.ts'
import { counted, textFormat } from '../format.ts'
import { reviewTable } from '../tables/registry.ts'
import { rowObject } from '../tables/table.ts'

/** One line a waypoint or review: `added` and `changed` with the record, `removed` with its tombstone. */
export const differences = textFormat({
  name: 'difference',
  file: 'difference.ndjson.gz',
  mediaType: 'application/gzip',
  title: 'What was added, changed and removed, newline-delimited JSON, compressed',
  subject: 'difference',
  holds:
    'Waypoints that were added or changed with all their columns, reviews that were added or changed, and ' +
    'tombstones of those that were removed.',
  loses: 'The single steps, which are in the change log.',
  gzip: true,
  *text(edition, tally) {
    const { difference } = edition
    if (!difference) return
    for (const record of counted(edition.waypoints(), tally)) {
      const change = difference.adds(record.id) ? 'added' : 'changed'
      const waypoint = waypointText(record, edition.terms(record), 'null')
      yield `{"change":"${change}","id":${record.id},"waypoint":${waypoint}}\n`
    }
    const removed = difference.tombstones.map((tombstone) => ({ change: 'removed', ...tombstone }))
    const reviews = isPart(edition) ? [] : reviewLines(edition, difference)
    for (const lines of [removed, reviews])
      for (const line of counted(lines, tally)) yield `${JSON.stringify(line)}\n`
  },
})

/**
 * A line for each review. One that was posted and deleted in between has a tombstone too, since the previous export may
 * have been written in that time.
 */
function* reviewLines({ snapshot }: Edition, { since, addsReview }: Difference): Iterable<object> {
  for (const review of snapshot.reviewsAfter(since.id)) {
    const { id, bubblerId, deletedAt } = review
    if (deletedAt !== undefined) {
      yield { change: 'removed', review_id: id, waypoint_id: bubblerId, removed_at: deletedAt }
    } else {
      const change = addsReview(id) ? 'added' : 'changed'
      yield { change, review_id: id, review: rowObject(reviewTable.columns, review) }
    }
  }
}
