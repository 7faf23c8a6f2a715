import { textFormat } from '../format.ts'

/**
 * The change log with its hash chain, by ascending id: with a copy of it anyone can see whether history was rewritten,
 * and rebuild the waypoints.
 */
export const changes = textFormat({
  name: 'changes',
  file: 'changes.ndjson.gz',
  mediaType: 'application/gzip',
  title: 'Change log, newline-delimited JSON, compressed',
  subject: 'log',
  holds: 'Every entry of the change log with digest, salt and hash, oldest first.',
  loses:
    'Nothing: what a redaction removed is missing from the changes, and the chain still verifies by the digest.',
  gzip: true,
  *text(edition, tally) {
    for (const entry of edition.changes()) {
      tally.rows += 1
      const { id, bubblerId, userId, action, changes, timestamp, digest, salt, hash, redacted, withheld } =
        entry
      const line = {
        id,
        bubblerId,
        userId,
        action,
        changes,
        timestamp,
        digest,
        salt,
        hash,
        redacted,
        withheld,
      }
      yield `${JSON.stringify(line)}\n`
    }
  },
})
