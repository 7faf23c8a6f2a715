import type { LoggedEntry, LogEntry, Registry } from '@openfountain/core'
import { actions } from '@openfountain/core/internal'
import { command, type Context } from '../command.ts'
import { CommandError, usage } from '../failure.ts'
import { databaseOption, pageOptions, withRegistry } from '../settings.ts'
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
  out.result({ entry }, () =>
    factLines([
      ['id', entry.id],
      ['time', entry.at],
      ['action', entry.action],
      ['subject', `${entry.subject} ${entry.subjectId}`],
      ['user', entry.by],
      ...Object.entries(entry.fields).map(([field, value]) => [`  ${field}`, textOf(value)] as const),
      ...redactedNames(entry).map((field) => [`  ${field}`, '(redacted)'] as const),
      ...entry.awards.map(([userId, event, xp]) => ['xp', `${xp} to ${userId} for ${event}`] as const),
      ...Object.entries(entry.links).map(([link, other]) => [link, other] as const),
    ]),
  )
}

async function showAction(id: number, registry: Registry, { out }: Context): Promise<void> {
  const log = await registry.changes.get(id)
  out.result({ log }, () =>
    factLines([
      ['id', log.id],
      ['time', log.timestamp],
      ['action', log.action],
      ['waypoint', `${log.waypoint.id} ${log.waypoint.name}`],
      ['user', `${log.user.id} ${log.user.name}`],
      ...Object.entries(log.changes).map(([field, value]) => [`  ${field}`, textOf(value)] as const),
      ['redacted', log.redacted && `${log.redacted.timestamp} ${log.redacted.reason}`],
    ]),
  )
}

const logShow = command('log show', {
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
  async run({ id, db, all, waypoint, user, action, ...page }, context) {
    const { out } = context
    if (all && (waypoint !== undefined || user !== undefined || action !== undefined))
      throw usage('--all cannot be combined with --waypoint, --user and --action')
    const { limit, offset, order } = page
    await withRegistry({ db }, 'read', context, async (registry) => {
      if (id !== undefined) return (all ? showAny : showAction)(id, registry, context)
      if (all) {
        const entries = await pageOfAll(registry, page)
        const { id: total } = await registry.changes.head()
        out.result({ entries, total, limit, offset }, () =>
          listLines(entries, columnsOfAll, 'No entries here'),
        )
        return
      }
      const filter = { bubblerId: waypoint, userId: user, action }
      const found = await registry.changes.list({ ...filter, limit, offset, order })
      out.result(found, () => listLines(found.logs, columns, 'No entries here'))
    })
  },
})

export const commands = [logShow]
