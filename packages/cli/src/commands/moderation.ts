import {
  token,
  type ModerationAct,
  type QueueItem,
  type Report,
  type ReportDecision,
} from '@openfountain/core'
import { apiUserId, observerUserId, QueueKind } from '@openfountain/core/internal'
import { pages } from '@openfountain/core/rules'
import type { Context } from '../command.ts'
import { usage } from '../failure.ts'
import { inert } from '../inert.ts'
import { instantOf, flag, numbered, oneOf, text, whole } from '../options.ts'
import { asked } from '../output.ts'
import { row, unlessDry } from '../row.ts'
import { databaseOption, powerOptions, reasonOption, regionsOption, writingOptions } from '../settings.ts'
import { listLines, type Columns } from '../table.ts'
import { entriesText, idsText } from '../wording/entries.ts'

export const pageOptions = {
  limit: whole('N', 'How many', { min: 1, max: pages.queue.max, default: pages.queue.default }),
  after: whole('N', 'The next page: the number that the page before ends with', {
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
  }),
}

const nameOf = ({ id, name }: { readonly id: string; readonly name?: string | undefined }): string =>
  name === undefined ? id : `${name} (${id})`

function subjectOf({ waypoint, review, user }: QueueItem): string {
  if (review !== undefined) return `review ${review.id}`
  if (waypoint !== undefined) return `${waypoint.name} (${waypoint.id})`
  return user === undefined ? 'gone' : nameOf(user)
}

const queueColumns: Columns<QueueItem> = {
  SINCE: 'since',
  WHAT: subjectOf,
  OTHER: ({ other }) => (other === undefined ? undefined : `${other.name} (${other.id})`),
  WHY: 'why',
  REPORTS: ({ reports = [] }) => reports.map(({ id }) => id).join(', '),
}

const actColumns: Columns<ModerationAct> = {
  ACT: 'id',
  WHEN: 'timestamp',
  WHO: ({ user }) => nameOf(user),
  WHAT: 'kind',
  OF({ waypoint, review, person }) {
    if (waypoint !== undefined) return `${waypoint.name} (${waypoint.id})`
    if (review !== undefined) return `review ${review.id}`
    return person === undefined ? undefined : nameOf(person)
  },
  WHY: ({ reason, redacted }) => (redacted === true ? '(redacted)' : reason),
  ENTRIES: ({ entries }) => entries.length,
}

const reportColumns: Columns<Report> = {
  ID: ({ id }) => String(id),
  CREATED: 'createdAt',
  ABOUT({ bubblerId, reviewId, userId }) {
    if (bubblerId !== undefined) return `fountain ${bubblerId}`
    return reviewId === undefined ? `user ${userId}` : `review ${reviewId}`
  },
  REASON: 'reason',
  COMMENT: 'comment',
  NOTE: 'note',
}

export const nextText = (next: number | undefined): string | undefined =>
  next === undefined ? undefined : `There is more: --after ${next}`

const dryRunOption = { 'dry-run': flag('Reports what would be undone, and writes nothing') }

interface Conflict {
  readonly entry: number
  readonly fields: readonly string[]
}

const undoneLines = (changes: number, conflicts: readonly Conflict[], isDry: boolean): string[] => [
  isDry
    ? `Dry run: nothing was written. Changes that would be undone: ${changes}`
    : `Changes that are undone: ${changes}`,
  ...conflicts.map(({ entry, fields }) => {
    const why = fields.length === 0 ? 'it cannot be undone' : `changed since: ${fields.map(inert).join(', ')}`
    return `Entry ${entry} stays: ${why}`
  }),
]

const builtIn: ReadonlySet<string> = new Set([apiUserId, observerUserId])

/** @throws CommandError usage unless the revert of a built-in user is confirmed */
async function mustBeConfirmed(id: string, confirm: string | undefined, { out }: Context): Promise<void> {
  const what = `Nothing was undone: ${id} stands for ${id === apiUserId ? 'imports and programs' : 'all who observed something'}`
  const question = `Undo everything since then that ${id} did? Type ${id}: `
  const unasked = `${what}; if all of that is to be undone, give --confirm ${id}`
  if ((confirm ?? (await asked(question, out, unasked))) !== id) throw usage(what)
}

const report = { id: { about: 'The number of the report', ...numbered } }

export const commands = [
  row('moderate queue', {
    summary: 'Lists what there is for moderators to look at, oldest first.',
    more: 'KIND is unapproved, unverified, reported, photos (that wait to be shown, or were hidden by reports), duplicates (near each other and called alike), bursts (people who changed very much of late) or doubtful (rows of imports, which source review decides). The first question about duplicates reads all places. user block and user unblock keep people from writing.',
    places: { kind: { about: 'Which queue', ...oneOf(QueueKind.options) } },
    options: { ...databaseOption, ...pageOptions },
    examples: {
      'moderate queue reported': 'Shows what people reported',
      'moderate queue duplicates --json': 'Prints { "items": …, "total": … }',
    },
    call: (registry, { kind, limit, after }) => registry.moderation.queue({ kind, limit, after }, token()),
    text: ({ items }) => listLines(items, queueColumns, 'Nothing to look at'),
    note: ({ total, next }) => [`${total} in all`, nextText(next) ?? []].flat().join('\n'),
  }),
  row('moderate acts', {
    summary: 'Lists what moderators and the operator did, newest first.',
    more: 'Everybody may see it at /api/moderation/acts. moderate undo undoes one.',
    options: { ...databaseOption, ...pageOptions },
    examples: { 'moderate acts --limit 10': 'Shows the newest ten' },
    call: (registry, { limit, after }) => registry.moderation.acts({ limit, after }),
    text: ({ acts }) => listLines(acts, actColumns, 'No acts'),
    note: ({ next }) => nextText(next),
  }),
  row('moderate merge', {
    summary: 'Merges a fountain into another that is the same.',
    more: 'The other gains its reviews and sources, and its address leads there. moderate undo takes it back.',
    places: { id: { about: 'The fountain that becomes a tombstone', ...numbered } },
    options: {
      ...writingOptions,
      into: text('ID', 'The fountain that is kept', { required: true, ...numbered }),
      ...reasonOption,
    },
    examples: { 'moderate merge 12 --into 7 --reason "The same"': 'Keeps fountain 7' },
    access: 'change',
    call: (registry, { id, into, reason }) => registry.waypoints.merge(id, { into, reason }, token()),
    json: (waypoint, { id }) => ({ merged: id, waypoint }),
    text: ({ name }, { id, into }) => `Fountain ${id} is merged into ${into}: ${inert(name)}`,
  }),
  row('moderate distinct', {
    summary: 'Says that two fountains are not the same, so that they are no duplicates any more.',
    places: { id: { about: 'One of them', ...numbered } },
    options: { ...writingOptions, from: text('ID', 'The other one', { required: true, ...numbered }) },
    examples: { 'moderate distinct 12 --from 7': 'Takes the pair out of the queue' },
    access: 'change',
    call: (registry, { id, from }) => registry.moderation.distinguish(id, from, token()),
    json: (distinct) => ({ distinct }),
    text: (distinct) => `Fountains ${idsText(distinct)} are not the same`,
  }),
  row('moderate reports', {
    summary: 'Lists what people reported, oldest first.',
    more: 'Who reported it is for moderators to see, in their queue.',
    options: {
      ...databaseOption,
      state: text('STATE', 'Only reports in this state', {
        default: 'open',
        choices: ['open', 'done', 'dismissed'],
      }),
      ...pageOptions,
    },
    examples: {
      'moderate reports': 'Shows open reports',
      'moderate reports --state done': 'Shows those that led to something',
    },
    call: async (registry, { state, limit, after }) => ({
      reports: await registry.reports.list({ state, limit, after }, token()),
    }),
    text: ({ reports }) => listLines(reports, reportColumns, 'No reports'),
  }),
  row('moderate report', {
    summary: 'Closes a report.',
    more: 'A report that was closed otherwise stays so: exit code 5.',
    places: { ...report, state: 'done, or dismissed when nothing was to be done' },
    options: { ...writingOptions, note: text('TEXT', 'A note for other moderators') },
    examples: {
      'moderate report 3 done --note "Moved it"': 'Closes report 3',
      'moderate report 4 dismissed': 'Closes report 4 without doing anything',
    },
    access: 'change',
    async call(registry, { id, state, note }) {
      const decision = { state: state as ReportDecision['state'], note }
      return { report: await registry.reports.decide(id, decision, token()) }
    },
    text: ({ report: { state } }, { id }) => `Report ${id} is ${state}`,
  }),
  row('moderate reopen', {
    summary: 'Opens a report again that was closed, without the note of the one who closed it.',
    places: report,
    options: writingOptions,
    examples: { 'moderate reopen 3': 'Puts report 3 back into the queue' },
    access: 'change',
    call: async (registry, { id }) => ({ report: await registry.reports.reopen(id, token()) }),
    text: (_result, { id }) => `Report ${id} is open`,
  }),
  row('moderate erase-report', {
    summary:
      'Permanently removes what was written in a report: its comment, and the note of the one who closed it.',
    more: 'The report stays, with its reason. Restoring an older backup does not bring the text back. When something still holds the text, such as a program that is reading the database, the command says what, and exits with 17: end it, and run it again. Backups that were made before keep the text until they are restored.',
    places: report,
    options: powerOptions,
    examples: { 'moderate erase-report 3': 'Removes the comment and the note of report 3' },
    access: 'change',
    call: async (registry, { id }) => ({ report: await registry.reports.erase(id) }),
    text: (_result, { id }) => `Nothing that was written in report ${id} is left`,
  }),
  row('moderate revert', {
    summary: 'Undoes what an entry did to a waypoint or a review, by new entries.',
    more: 'Reverting a deletion restores. XP that was earned is taken back. Refused with exit code 5 when somebody changed the same fields since.',
    places: { id: { about: 'The entry', ...numbered } },
    options: { ...writingOptions, ...regionsOption, ...reasonOption },
    examples: { 'moderate revert 12 --reason "Vandalism"': 'Undoes entry 12' },
    access: 'change',
    call: (registry, { id, reason }) => registry.changes.revert(id, { reason }, token()),
    json: (entries, { id }) => ({ reverted: id, entries }),
    text: (entries, { id }) => `Entry ${id} is undone by ${entriesText(entries)}`,
  }),
  row('user revert', {
    summary: 'Undoes what a user changed of waypoints and reviews since a time, the newest first.',
    more: 'What others changed since stays, and is listed. XP that the changes earned is taken back. The user can still write: user block ends that. Run it with --dry-run first. moderate undo takes it back. Of api, which stands for imports and programs, and of observer it is only done once the id was typed, or given with --confirm.',
    places: { id: 'The user’s id' },
    options: {
      ...powerOptions,
      ...regionsOption,
      since: text(
        'TIME',
        'Only what was done then or later: a date such as 2026-01-31, or a time such as 2026-01-31T12:00:00Z',
        { required: true, reads: instantOf },
      ),
      ...reasonOption,
      confirm: text('ID', 'The id again, where it is that of a built-in user'),
      ...dryRunOption,
    },
    examples: {
      'user revert eve --since 2026-01-31 --reason "Vandalism" --dry-run': 'Shows what would be undone',
      'user revert eve --since 2026-01-31 --reason "Vandalism"': 'Undoes it',
    },
    access: unlessDry,
    async check({ id, confirm, 'dry-run': dryRun }, context) {
      if (builtIn.has(id) && !dryRun) await mustBeConfirmed(id, confirm, context)
    },
    async call({ users }, { id, since, reason, 'dry-run': dryRun }) {
      const options = { since, reason, dryRun, evenBuiltIn: builtIn.has(id) }
      const pages = []
      let before: number | undefined
      do {
        const page = await users.revert(id, { ...options, before }, token())
        pages.push(page)
        before = page.next
      } while (before !== undefined)
      const reverted = pages.flatMap((page) => page.reverted)
      return { reverted, conflicts: pages.flatMap(({ conflicts }) => conflicts), dryRun }
    },
    text: ({ reverted, conflicts, dryRun }) => undoneLines(reverted.length, conflicts, dryRun),
  }),
  row('moderate undo', {
    summary: 'Undoes what an act of moderation did, as one act.',
    more: 'What a revert took back stands again, with the XP; what was deleted or merged is back. What was changed since stays, and is listed. moderate acts lists them; undoing a person’s changes is an act for each 500 of them. Redactions are not undone.',
    places: { act: { about: 'The id of the act, which is that of its first entry', ...numbered } },
    options: { ...powerOptions, ...regionsOption, ...reasonOption, ...dryRunOption },
    examples: {
      'moderate undo 120 --reason "It was right" --dry-run': 'Shows what would be undone',
      'moderate undo 120 --reason "It was right"': 'Undoes act 120',
    },
    access: unlessDry,
    async call(registry, { act, reason, 'dry-run': dryRun }) {
      const { undone, conflicts } = await registry.moderation.undo(act, { reason, dryRun }, token())
      return { undone, conflicts, dryRun }
    },
    text: ({ undone, conflicts, dryRun }) => undoneLines(undone.length, conflicts, dryRun),
  }),
]
