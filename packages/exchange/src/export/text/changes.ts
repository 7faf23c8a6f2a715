import { textFormat } from '../format.ts'

/**
 * The log, entries of all kinds by ascending id, each as `GET /api/changes` returns it: with a copy of it anyone can see
 * whether history was rewritten, and rebuild the registry.
 */
export const changes = textFormat({
  name: 'changes',
  file: 'changes.ndjson.gz',
  mediaType: 'application/gzip',
  title: 'Change log, newline-delimited JSON, compressed',
  subject: 'log',
  holds:
    'Every entry of the log with what proves it: waypoints, reviews, people without names, areas, sources, imports ' +
    'and redactions, oldest first.',
  loses:
    'Nothing: of what a redaction removed, or a licence does not allow here, the commitments remain, so that the rest ' +
    'can still be proven.',
  gzip: true,
  *text(edition, tally) {
    for (const entry of edition.changes()) {
      tally.rows += 1
      yield `${JSON.stringify(entry)}\n`
    }
  },
})
