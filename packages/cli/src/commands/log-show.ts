import type { LoggedEntry, LogEntry, Registry } from '@openfountain/core'
import { actions } from '@openfountain/core/internal'
import { command, type Context } from '../command.ts'
import { CommandError, usage } from '../failure.ts'
import { databaseOption, withRegistry } from '../settings.ts'
import type { Column } from '../table.ts'
import { numberOf } from './sessions.ts'

const columns: Column<LogEntry>[] = [
  { heading: 'ID', value: ({ id }) => id },
  { heading: 'TIME', value: ({ timestamp }) => timestamp },
  { heading: 'WAYPOINT', value: ({ bubblerId }) => bubblerId },
  { heading: 'ACTION', value: ({ action }) => action },
  { heading: 'USER', value: ({ userId }) => userId },
  {
    heading: 'CHANGES',
    value: ({ changes, redacted }) =>
      redacted ? `redacted: ${redacted.reason}` : Object.keys(changes).join(', '),
  },
]

const redactedNames = ({ commitments }: LoggedEntry): string[] => Object.keys(commitments ?? {})

const columnsOfAll: Column<LoggedEntry>[] = [
  { heading: 'ID', value: ({ id }) => id },
  { heading: 'TIME', value: ({ at }) => at },
  { heading: 'SUBJECT', value: ({ subject, subjectId }) => `${subject} ${subjectId}` },
  { heading: 'ACTION', value: ({ action }) => action },
  { heading: 'USER', value: ({ by }) => by },
  {
    heading: 'FIELDS',
    value: (entry) =>
      [...Object.keys(entry.fields), ...redactedNames(entry).map((name) => `${name} (redacted)`)].join(', '),
  },
]

interface PageOptions {
  readonly limit: number
  readonly offset: number
  readonly order: 'asc' | 'desc'
}

/** A page of the entries of all kinds. */
async function pageOfAll(registry: Registry, { limit, offset, order }: PageOptions): Promise<LoggedEntry[]> {
  const { id: total } = await registry.changes.head()
  const count = Math.min(limit, total - offset)
  if (count <= 0) return []
  if (order === 'asc') return registry.changes.entries(offset, count)
  const newestLast = await registry.changes.entries(total - offset - count, count)
  return newestLast.toReversed()
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

async function showAny(id: number, registry: Registry, { out }: Context): Promise<void> {
  const [entry] = await registry.changes.entries(id - 1, 1)
  if (entry === undefined)
    throw new CommandError('notFound', 'There is no log entry with this id', 'NOT_FOUND', { id })
  out.facts({ entry }, [
    ['id', entry.id],
    ['time', entry.at],
    ['action', entry.action],
    ['subject', `${entry.subject} ${entry.subjectId}`],
    ['user', entry.by],
    ...Object.entries(entry.fields).map(([field, value]) => [`  ${field}`, textOf(value)] as const),
    ...redactedNames(entry).map((field) => [`  ${field}`, '(redacted)'] as const),
    ...entry.awards.map(([userId, event, xp]) => ['xp', `${xp} to ${userId} for ${event}`] as const),
    ...Object.entries(entry.links).map(([link, other]) => [link, other] as const),
  ])
}

async function showAction(id: number, registry: Registry, { out }: Context): Promise<void> {
  const log = await registry.changes.get(id)
  out.facts({ log }, [
    ['id', log.id],
    ['time', log.timestamp],
    ['action', log.action],
    ['waypoint', `${log.waypoint.id} ${log.waypoint.name}`],
    ['user', `${log.user.id} ${log.user.name}`],
    ...Object.entries(log.changes).map(([field, value]) => [`  ${field}`, textOf(value)] as const),
    ['redacted', log.redacted && `${log.redacted.timestamp} ${log.redacted.reason}`],
  ])
}

export const logShow = command({
  name: 'log show',
  summary: 'Shows what was done to waypoints, newest first, or one entry in full.',
  more: 'With --all it shows the entries of all kinds: also those about reviews, users, areas, sources, imports and redactions, with the XP that they award.',
  positionals: [{ name: 'ID', about: 'An entry to show in full', optional: true }],
  options: {
    ...databaseOption,
    all: { type: 'flag', about: 'Shows entries of all kinds' },
    waypoint: {
      type: 'whole',
      value: 'ID',
      min: 1,
      max: Number.MAX_SAFE_INTEGER,
      about: 'Only of this waypoint',
    },
    user: { type: 'text', value: 'ID', about: 'Only of this user' },
    action: { type: 'text', value: 'ACTION', choices: actions, about: 'Only with this action' },
    limit: { type: 'whole', value: 'N', min: 1, max: 100, default: 50, about: 'How many at most' },
    offset: {
      type: 'whole',
      value: 'N',
      min: 0,
      max: Number.MAX_SAFE_INTEGER,
      default: 0,
      about: 'How many to skip',
    },
    order: {
      type: 'text',
      value: 'ORDER',
      choices: ['desc', 'asc'],
      default: 'desc',
      about: 'asc shows the oldest first',
    },
  },
  examples: [
    { line: 'openfountain log show --waypoint 1', does: 'Shows the history of a waypoint' },
    {
      line: 'openfountain log show --all --limit 10',
      does: 'Shows the ten newest entries, whatever they are about',
    },
    {
      line: 'openfountain log show 1 --all --json',
      does: 'Prints the first entry with what proves it',
    },
  ],
  async run({ db, all, waypoint, user, action, ...page }, [id], context) {
    const { out } = context
    if (all && (waypoint !== undefined || user !== undefined || action !== undefined))
      throw usage('--all cannot be combined with --waypoint, --user and --action')
    const number = id === undefined ? undefined : numberOf(id)
    const { limit, offset, order } = page
    await withRegistry({ db }, 'read', context, async (registry) => {
      if (number !== undefined) return (all ? showAny : showAction)(number, registry, context)
      if (all) {
        const entries = await pageOfAll(registry, page)
        const { id: total } = await registry.changes.head()
        out.table({ entries, total, limit, offset }, entries, columnsOfAll, 'No entries here')
        return
      }
      const filter = { bubblerId: waypoint, userId: user, action }
      const found = await registry.changes.list({ ...filter, limit, offset, order })
      out.table(found, found.logs, columns, 'No entries here')
    })
  },
})
