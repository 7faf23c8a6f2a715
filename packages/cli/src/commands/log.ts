import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Registry, Verification, LogEntry, LoggedEntry } from '@openfountain/core'
import { type Erasure, isOnServer, actions, type DescribedEntry } from '@openfountain/core/internal'
import type { KnownHead } from '@openfountain/exchange'
import { CommandError, usage } from '../failure.ts'
import { inert } from '../inert.ts'
import { flag, list, numbered, text, whole } from '../options.ts'
import { writePrivately } from '../output-files.ts'
import { NoteError, verifiedCheckpoint, verifiedSplit } from '@openfountain/tlog'
import type { Output } from '../output.ts'
import { row } from '../row.ts'
import { keyOption, keysOf, notProven } from './log-proofs.ts'
import { writeSplit } from '../log-keys.ts'
import { databaseOption, powerOptions, reasonOption, pageOptions } from '../settings.ts'
import { factLines, listLines, type Columns } from '../table.ts'
import { counted, entriesText } from '../wording/entries.ts'

export const notCoveredLine = (notCovered: readonly string[]): string =>
  `Not covered: ${notCovered.map(inert).join('; ')}`

function verificationLines(given: Verification & { readonly photos?: number }): string[] {
  const { ok, entries, waypoints, redacted, head, problems, notCovered, photos } = given
  const lines = [
    `${entries.toLocaleString('en')} entries, ${waypoints.toLocaleString('en')} waypoints, ${redacted.toLocaleString('en')} redacted`,
    `head ${head.id} ${head.hash}`,
    ...(photos === undefined ? [] : [`${photos.toLocaleString('en')} files of photos`]),
  ]
  if (ok)
    return [
      'The log verifies: every entry has its place in the tree, and replaying them gives exactly what is stored',
      ...lines,
      notCoveredLine(notCovered),
    ]
  return ['The log does NOT verify', ...problems.map((problem) => `  ${inert(problem)}`), ...lines]
}

/** Parses a head as printed by log head. @throws CommandError usage */
export function knownOf(text: string): KnownHead {
  const [, id, hash] = /^(\d{1,15}):([0-9a-f]{64})$/u.exec(text.toLowerCase()) ?? []
  if (id === undefined || hash === undefined)
    throw usage('--known must be an id and a hash joined by a colon, as log head prints them')
  return { id: Number(id), hash }
}

/** @throws CommandError unverified unless the log begins with the entries of this head */
async function mustContinue({ changes }: Registry, { id, hash }: KnownHead): Promise<void> {
  const isLonger = id <= (await changes.head()).id
  if (isLonger && (await changes.head(id)).hash === hash) return
  const problem = `the log does not begin with the ${id} entries of this head: history was rewritten, or it is another registry’s`
  throw new CommandError('unverified', problem, 'CHAIN_BROKEN', { id, hash })
}

/** What a checkpoint proves. @throws CommandError unverified unless it is signed and the log continues it */
async function continued(
  registry: Registry,
  file: string,
  texts: readonly string[],
  out: Output,
): Promise<string> {
  const { changes } = registry
  const keys = await keysOf(texts.length > 0 ? texts : ((await changes.keys()) ?? []))
  const given = await readFile(file, 'utf8')
  const { origin, size, root } = await verifiedCheckpoint(given, keys).catch((error: unknown) => {
    if (!(error instanceof NoteError)) throw error
    throw new CommandError('unverified', `${file} ${error.message}`, 'CHAIN_BROKEN')
  })
  const evidence = async (): Promise<string> => {
    const { note, head } = await changes.checkpoint()
    const { proof } = await changes.consistency(size, head.id)
    const split = { checkpoints: [given, note], root: (await changes.head(size)).hash, proof } as const
    await verifiedSplit(split, keys)
    return writeSplit(dirname(file), split)
  }
  await mustContinue(registry, { id: size, hash: root }).catch(async (refused: unknown) => {
    const found = await evidence().catch(() => undefined)
    if (found !== undefined)
      out.note(`${inert(origin)} signed both: ${inert(found)} is the evidence, which log check checks`)
    throw refused
  })
  const whose =
    texts.length > 0
      ? 'the key that you gave'
      : 'the key that is here, which proves nothing against who runs the registry'
  return `Proven: the log continues the checkpoint of ${inert(origin)} with ${size} entries, by ${whose}. ${notProven}`
}

export const leftoverLines = (leftovers: NonNullable<Erasure['leftovers']>): string[] =>
  leftovers.map(({ place, remedy }) => `For a while it is still in ${inert(place)}: ${remedy}`)

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

export const commands = [
  row('log verify', {
    summary:
      'Verifies the log: every entry, the tree over them, and that replaying them gives exactly what is stored.',
    more: 'Exits with 4 when it does not verify. --known takes a head that you kept, such as the one in an old export, and verifies that entries have only been added since. It says, too, when the database lost a trigger that guards it, and names each column and table that verifying does not cover.',
    options: {
      ...databaseOption,
      known: text('ID:HASH', 'A head that the log must continue'),
      checkpoint: text(
        'FILE',
        'A signed checkpoint that the log must continue, such as log/checkpoint of an old export',
      ),
      ...keyOption,
      photos: flag(
        'Also compares the files of all photos with their hashes; from where OPENFOUNTAIN_PHOTOS says, or NAME.photos beside the database NAME.db',
      ),
    },
    examples: {
      'log verify': 'Verifies the whole log',
      'log verify --known "$(openfountain log head)"':
        'Also checks that the log continues a head that you know',
    },
    check({ known }) {
      if (known !== undefined) knownOf(known)
    },
    async call(registry, { known, checkpoint, key, photos }, { out }) {
      if (checkpoint !== undefined) out.note(await continued(registry, checkpoint, key, out))
      if (known !== undefined) await mustContinue(registry, knownOf(known))
      const verified = await out.during('Verifying', (bar) => registry.changes.verify({ onProgress: bar.at }))
      if (!photos) return verified
      const { files, problems } = await registry.photos.verify()
      const all = [...verified.problems, ...problems]
      return { ...verified, ok: all.length === 0, problems: all, photos: files }
    },
    text: verificationLines,
    exit: ({ ok }) => (ok ? 'done' : 'unverified'),
  }),
  row('log head', {
    summary: 'Prints how far the log goes: the newest entry’s id, and the root of the tree over all entries.',
    more: 'Joined by a colon. Keep it to prove later that history was not rewritten: openfountain log verify --known ID:HASH.',
    options: databaseOption,
    examples: { 'log head >> heads.txt': 'Keeps the head of today' },
    call: (registry) => registry.changes.head(),
    text: ({ id, hash }) => `${id}:${hash}`,
  }),
  row('log redact', {
    summary:
      'Permanently removes text from an entry and its copies, as a law may require; the log still verifies.',
    more: 'The log keeps showing that text was redacted, and why. Text that is still in force is cleared, too. When something still holds the text, such as a program that is reading the database, the command says what, and exits with 17: end it, and run log scrub. Backups and exports that were made before keep the text.',
    places: { id: { about: 'The entry', ...numbered } },
    options: {
      ...powerOptions,
      ...reasonOption,
      fields: list('NAME', 'Only these fields of the entry; default all its text'),
    },
    examples: {
      'log redact 1 --fields description --reason "A private telephone number"':
        'Removes the description from the first entry',
    },
    access: 'change',
    call: (registry, { id, reason, fields }) =>
      registry.changes.redact(id, { reason, ...(fields.length > 0 && { fields }) }),
    text: ({ entries, leftovers = [] }, { reason }) => [
      `Text is removed from ${entriesText(entries)}: ${inert(reason)}`,
      ...leftoverLines(leftovers),
    ],
  }),
  row('log scrub', {
    summary: 'Removes every trace of redacted text from the database.',
    more: 'log redact does this by itself; run it again after it exited with 17, when what held the text has ended. On a server it says where the text still is for a while.',
    options: databaseOption,
    examples: { 'log scrub': 'Finishes what log redact could not' },
    access: 'change',
    call: async (registry) => ({ database: registry.database, leftovers: await registry.changes.scrub() }),
    json: ({ leftovers }) => ({ scrubbed: true, ...(leftovers.length > 0 && { leftovers }) }),
    text: ({ database, leftovers }, { db }) =>
      isOnServer(db)
        ? [`No redacted text is left in the tables of ${inert(database)}`, ...leftoverLines(leftovers)]
        : `No redacted text is left in ${inert(db)} and the files beside it`,
  }),
  row('log erasures', {
    summary: 'Writes a list of everything that was erased, by which a restored backup is erased again.',
    more: 'The list has nothing of what was erased: ids of entries, names of fields and hashes. What FILE lists already stays in it, also what this registry no longer knows. Keep it elsewhere than the database, and write it again after each erasure or every hour. A registry in a SQLite file needs none: it has such a list beside it, which restore reads.',
    places: { file: 'Where the list is kept; only its owner may read it' },
    options: databaseOption,
    examples: { 'log erasures erased.txt': 'Brings the list up to date' },
    async call(registry, { file }) {
      const earlier = existsSync(file) ? await readFile(file, 'utf8') : ''
      const list = await registry.erasures.list(earlier)
      await writePrivately(file, [list])
      return { file, erasures: list.split('\n').length - 1 }
    },
    text: ({ file, erasures }) => `${inert(file)} lists ${counted(erasures, 'erasure', 'erasures')}`,
  }),
  row('log erase-again', {
    summary:
      'Erases again what a restored database has from before it was erased, by a list of log erasures.',
    more: 'For a database that pg_restore brought back, or a copy of an old one, before servers use it. Redacted text and that of reports is erased again, and people who left since leave again. --origin renew gives the log a new origin, by which readers and mirrors notice that entries may be lost; keep is for a database that lost none, and for running the command again. openfountain restore does all of this itself for a registry in a SQLite file.',
    places: { file: 'The list' },
    options: {
      ...powerOptions,
      origin: text(
        'ORIGIN',
        'renew when entries that were written after the backup are lost; keep when none are',
        { choices: ['renew', 'keep'], required: true },
      ),
    },
    examples: { 'log erase-again erased.txt --origin renew': 'Makes a restored database safe to use' },
    access: 'change',
    call: async (registry, { file, origin }) =>
      registry.erasures.repeat(await readFile(file, 'utf8'), { origin }),
    text: ({ erased, erasedReports, left, originRenewed, leftovers = [] }) => [
      `Erased again: text of ${counted(erased)} and of ${counted(erasedReports, 'report', 'reports')}; ${counted(left, 'person', 'people')} left again`,
      originRenewed &&
        'The log has a new origin, by which readers and mirrors notice that something may be missing',
      ...leftoverLines(leftovers),
    ],
  }),
  row('stats', {
    summary: 'Counts waypoints, users, reviews and contributions.',
    options: databaseOption,
    examples: { stats: 'Shows the counts', 'stats --json': 'Prints what GET /api/stats returns' },
    call: (registry) => registry.statistics(),
    text: (counts) =>
      factLines([
        ['waypoints', counts.totalWaypoints],
        ['verified', counts.totalVerifiedWaypoints],
        ['users', counts.totalUsers],
        ['reviews', counts.totalReviews],
        ['contributions', counts.totalContributions],
      ]),
  }),
  logShow,
]
