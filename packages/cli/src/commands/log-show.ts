import type { LogEntry, LoggedEntry, Registry } from '@openfountain/core'
import { actions, type DescribedEntry } from '@openfountain/core/internal'
import { CommandError, usage } from '../failure.ts'
import { row } from '../row.ts'
import { databaseOption, pageOptions } from '../settings.ts'
import { factLines, listLines, type Columns } from '../table.ts'
import { flag, numbered, text, whole } from '../options.ts'

const columns: Columns<LogEntry> = {
  ID: 'id',
  TIME: 'timestamp',
  WAYPOINT: 'bubblerId',
  ACTION: 'action',
  USER: 'userId',
  CHANGES: ({ changes, redacted }) =>
    redacted ? `redacted: ${redacted.reason}` : Object.keys(changes).join(', '),
}

const redactedNames = ({ commitments }: LoggedEntry): string[] => Object.keys(commitments ?? {})

const columnsOfAll: Columns<LoggedEntry> = {
  ID: 'id',
  TIME: 'at',
  SUBJECT: ({ subject, subjectId }) => `${subject} ${subjectId}`,
  ACTION: 'action',
  USER: 'by',
  FIELDS: (entry) =>
    [...Object.keys(entry.fields), ...redactedNames(entry).map((name) => `${name} (redacted)`)].join(', '),
}

/** A page of the entries of all kinds. */
async function pageOfAll({ changes }: Registry, limit: number, offset: number, order: 'asc' | 'desc') {
  const { id: total } = await changes.head()
  const count = Math.max(0, Math.min(limit, total - offset))
  const after = order === 'asc' ? offset : total - offset - count
  const page = count === 0 ? [] : await changes.entries(after, count)
  return { entries: order === 'asc' ? page : page.toReversed(), total, limit, offset }
}

async function entryOf({ changes }: Registry, id: number): Promise<{ readonly entry: LoggedEntry }> {
  const [entry] = await changes.entries(id - 1, 1)
  if (entry !== undefined) return { entry }
  throw new CommandError('notFound', 'There is no log entry with this id', 'NOT_FOUND', { id })
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

const fieldFacts = (fields: object) =>
  Object.entries(fields).map(([field, value]) => [`  ${field}`, textOf(value)] as const)

const factsOfEntry = (entry: LoggedEntry) => [
  ['id', entry.id] as const,
  ['time', entry.at] as const,
  ['action', entry.action] as const,
  ['subject', `${entry.subject} ${entry.subjectId}`] as const,
  ['user', entry.by] as const,
  ...fieldFacts(entry.fields),
  ...redactedNames(entry).map((field) => [`  ${field}`, '(redacted)'] as const),
  ...entry.awards.map(([userId, event, xp]) => ['xp', `${xp} to ${userId} for ${event}`] as const),
  ...Object.entries(entry.links),
]

const factsOfAction = (log: DescribedEntry) => [
  ['id', log.id] as const,
  ['time', log.timestamp] as const,
  ['action', log.action] as const,
  ['waypoint', `${log.waypoint.id} ${log.waypoint.name}`] as const,
  ['user', `${log.user.id} ${log.user.name}`] as const,
  ...fieldFacts(log.changes),
  ['redacted', log.redacted && `${log.redacted.timestamp} ${log.redacted.reason}`] as const,
]

const logShow = row('log show', {
  summary: 'Shows what was done to waypoints, newest first, or one entry in full.',
  more: 'With --all it shows the entries of all kinds: also those about reviews, users, areas, sources, imports and redactions, with the XP that they award.',
  places: { id: { about: 'An entry to show in full', optional: true, ...numbered } },
  options: {
    ...databaseOption,
    all: flag('Shows entries of all kinds'),
    waypoint: whole('ID', 'Only of this waypoint', { min: 1, max: Number.MAX_SAFE_INTEGER }),
    user: text('ID', 'Only of this user'),
    action: text('ACTION', 'Only with this action', { choices: actions }),
    ...pageOptions(50),
    order: text('ORDER', 'asc shows the oldest first', { choices: ['desc', 'asc'], default: 'desc' }),
  },
  examples: {
    'log show --waypoint 1': 'Shows the history of a waypoint',
    'log show --all --limit 10': 'Shows the ten newest entries, whatever they are about',
    'log show 1 --all --json': 'Prints the first entry with what proves it',
  },
  check({ all, waypoint, user, action }) {
    if (all && (waypoint !== undefined || user !== undefined || action !== undefined))
      throw usage('--all cannot be combined with --waypoint, --user and --action')
  },
  async call(registry, { id, all, waypoint, user, action, limit, offset, order }) {
    const page = { limit, offset, order }
    if (id === undefined)
      return all
        ? pageOfAll(registry, limit, offset, order)
        : registry.changes.list({ bubblerId: waypoint, userId: user, action, ...page })
    return all ? entryOf(registry, id) : { log: await registry.changes.get(id) }
  },
  text(found) {
    if ('entry' in found) return factLines(factsOfEntry(found.entry))
    if ('log' in found) return factLines(factsOfAction(found.log))
    return 'entries' in found
      ? listLines(found.entries, columnsOfAll, 'No entries here')
      : listLines(found.logs, columns, 'No entries here')
  },
})

export const commands = [logShow]
