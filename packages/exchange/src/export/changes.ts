import { textFormat } from './format.ts'

/**
 * The change log with its hash chain, by ascending id: whoever keeps a copy can see whether history was
 * rewritten, and can rebuild the waypoints.
 */
export const changes = textFormat({
  name: 'changes',
  file: 'changes.ndjson.gz',
  mediaType: 'application/gzip',
  title: 'Change log, newline-delimited JSON, compressed',
  subject: 'registry',
  holds: 'Every entry of the change log with digest, salt and hash, oldest first.',
  loses: 'Nothing: a redacted entry has null changes, and the chain still verifies by its digest.',
  gzip: true,
  *text({ snapshot }, tally) {
    for (const entry of snapshot.changes()) {
      tally.rows += 1
      const { id, bubblerId, userId, action, changes, timestamp, digest, salt, hash, redacted } = entry
      yield `${JSON.stringify({ id, bubblerId, userId, action, changes, timestamp, digest, salt, hash, redacted })}\n`
    }
  },
})
