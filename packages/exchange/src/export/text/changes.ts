import { subjectActions } from '@openfountain/core/internal'
import type { Field } from '../fields.ts'
import { counted, textFormat } from '../format.ts'

/** The members of an entry, as in `GET /api/changes`, since entries are proven in this form. */
export const entryMembers = {
  id: { type: 'integer', required: true, meaning: 'Number of the entry, 1, 2, 3 … without gaps' },
  at: { type: 'datetime', required: true, meaning: 'When, UTC' },
  by: { type: 'string', required: true, meaning: 'Who did it; `api` for programs and imports' },
  subject: {
    type: 'string',
    required: true,
    meaning: 'What was changed',
    values: Object.keys(subjectActions),
  },
  subjectId: {
    type: 'any',
    required: true,
    meaning: 'Its identifier: a text for users, else a number; a waypoint may have been removed since',
  },
  action: {
    type: 'string',
    required: true,
    meaning: 'What was done',
    values: [...new Set(Object.values(subjectActions).flat())],
  },
  fields: { type: 'object', required: true, meaning: 'Changed fields to new values' },
  seed: { type: 'string', required: false, meaning: 'Seed of all salts; absent once redacted' },
  salts: { type: 'object', required: false, meaning: 'Salts of the fields that are left' },
  commitments: { type: 'object', required: false, meaning: 'Commitments of the missing fields' },
  awards: { type: 'list', required: true, meaning: 'XP: lists of user, event and amount' },
  links: { type: 'object', required: true, meaning: 'Ids of entries and waypoints it refers to' },
  withheld: { type: 'string', required: false, meaning: 'Why this export has no fields of it' },
} as const satisfies Readonly<Record<string, Omit<Field, 'name'>>>

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
  fields: Object.entries(entryMembers).map(([name, described]) => ({ name, ...described })),
  gzip: true,
  *text(edition, tally) {
    for (const entry of counted(edition.changes(), tally)) yield `${JSON.stringify(entry)}\n`
  },
})
