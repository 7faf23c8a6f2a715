import type { LogEntry, Registry, Verification } from '@openfountain/core'
import { actions, genesis } from '@openfountain/core/internal'
import { command } from '../command.ts'
import { CommandError, usage } from '../failure.ts'
import { inert } from '../inert.ts'
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

/** The result of verifying, as lines of a report. */
export function verificationLines({
  ok,
  entries,
  waypoints,
  redacted,
  head,
  problems,
}: Verification): string[] {
  const lines = [
    `${entries.toLocaleString('en')} entries, ${waypoints.toLocaleString('en')} waypoints, ${redacted.toLocaleString('en')} redacted`,
    `head ${head.id} ${head.hash}`,
  ]
  if (ok)
    return ['The log verifies: every hash follows, and replaying it gives exactly the waypoints', ...lines]
  return ['The log does NOT verify', ...problems.map((problem) => `  ${inert(problem)}`), ...lines]
}

interface KnownEntry {
  readonly id: number
  readonly hash: string
}

/** @throws CommandError usage */
function knownOf(text: string): KnownEntry {
  const [, id, hash] = /^(\d{1,15}):([0-9a-f]{64})$/u.exec(text.toLowerCase()) ?? []
  if (id === undefined || hash === undefined)
    throw usage('--known must be an id and a hash joined by a colon, as log head prints them')
  return { id: Number(id), hash }
}

async function mustHave(registry: Registry, { id, hash }: KnownEntry): Promise<void> {
  const [entry] = id === 0 ? [] : await registry.changes.sealed(id - 1, 1)
  const isThere = id === 0 ? hash === genesis : entry?.id === id && entry.hash === hash
  if (!isThere)
    throw new CommandError(
      'unverified',
      `the log has no entry ${id} with this hash: history was rewritten, or it is another registry’s`,
      'CHAIN_BROKEN',
      { id, hash },
    )
}

export const logVerify = command({
  name: 'log verify',
  summary:
    'Verifies the change log: every hash, and that replaying it gives exactly the waypoints and all XP.',
  more: 'Exits with 4 when it does not verify. --known takes a head that you kept, such as the one in an old export, and verifies that entries have only been added since.',
  options: {
    ...databaseOption,
    known: { type: 'text', value: 'ID:HASH', about: 'An entry that the log must still have' },
  },
  examples: [
    { line: 'openfountain log verify', does: 'Verifies the whole log' },
    {
      line: 'openfountain log verify --known "$(openfountain log head)"',
      does: 'Also checks that an entry you know is part of it',
    },
  ],
  async run({ db, known }, _positionals, { out, env }) {
    const knownEntry = known === undefined ? undefined : knownOf(known)
    return withRegistry({ db }, 'read', { out, env }, async (registry) => {
      if (knownEntry !== undefined) await mustHave(registry, knownEntry)
      const bar = out.progress('Verifying')
      const verification = await registry.changes
        .verify((done, total) => bar.at(done, total))
        .finally(() => bar.end())
      out.result(verification, () => verificationLines(verification))
      return verification.ok ? 'done' : 'unverified'
    })
  },
})

export const logHead = command({
  name: 'log head',
  summary: 'Prints the newest entry’s id and hash, joined by a colon.',
  more: 'Keep it to prove later that history was not rewritten: openfountain log verify --known ID:HASH.',
  options: databaseOption,
  examples: [{ line: 'openfountain log head >> heads.txt', does: 'Keeps the head of today' }],
  async run({ db }, _positionals, context) {
    await withRegistry({ db }, 'read', context, async (registry) => {
      const head = registry.changes.head()
      context.out.result(head, () => [`${head.id}:${head.hash}`])
    })
  },
})

export const logShow = command({
  name: 'log show',
  summary: 'Shows entries of the log, newest first, or one entry in full.',
  positionals: [{ name: 'ID', about: 'An entry to show in full', optional: true }],
  options: {
    ...databaseOption,
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
    { line: 'openfountain log show 1 --json', does: 'Prints the first entry with its user and waypoint' },
  ],
  async run({ db, waypoint, user, action, limit, offset, order }, [id], context) {
    const { out } = context
    await withRegistry({ db }, 'read', context, async (registry) => {
      if (id === undefined) {
        const page = await registry.changes.list({
          bubblerId: waypoint,
          userId: user,
          action,
          limit,
          offset,
          order,
        })
        out.table(page, page.logs, columns, 'No entries here')
        return
      }
      const log = await registry.changes.get(numberOf(id))
      out.facts({ log }, [
        ['id', log.id],
        ['time', log.timestamp],
        ['action', log.action],
        ['waypoint', `${log.waypoint.id} ${log.waypoint.name}`],
        ['user', `${log.user.id} ${log.user.name}`],
        ...Object.entries(log.changes).map(
          ([field, value]) =>
            [`  ${field}`, typeof value === 'string' ? value : JSON.stringify(value)] as const,
        ),
        ['redacted', log.redacted && `${log.redacted.timestamp} ${log.redacted.reason}`],
      ])
    })
  },
})

export const logRedact = command({
  name: 'log redact',
  summary: 'Permanently removes text from an entry, as a law may require; the hash chain still verifies.',
  more: 'The entry keeps showing that it was redacted, and why. Text that the waypoint still has is removed from it, too. Copies, backups and exports that were made before keep the text.',
  positionals: [{ name: 'ID', about: 'The entry' }],
  options: {
    ...databaseOption,
    reason: { type: 'text', value: 'TEXT', required: true, about: 'Why; it is public' },
    fields: { type: 'list', value: 'NAME', about: 'Only these fields of the entry; default all its text' },
  },
  examples: [
    {
      line: 'openfountain log redact 1 --fields description --reason "A private telephone number"',
      does: 'Removes the description from the first entry',
    },
  ],
  async run({ db, reason, fields }, [id = ''], context) {
    const number = numberOf(id)
    await withRegistry({ db }, 'change', context, async (registry) => {
      const log = await registry.changes.redact(number, { reason, ...(fields.length > 0 && { fields }) })
      context.out.result({ log }, () => [`Entry ${log.id} is redacted: ${inert(reason)}`])
    })
  },
})
