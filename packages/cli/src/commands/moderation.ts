import {
  token,
  type ReportDecision,
  type ModerationAct,
  type QueueItem,
  type Report,
} from '@openfountain/core'
import { pages } from '@openfountain/core/rules'
import { command } from '../command.ts'
import { usage } from '../failure.ts'
import { inert } from '../inert.ts'
import type { Options } from '../options.ts'
import { databaseOption, powerOptions, withRegistry, writingOptions } from '../settings.ts'
import type { Column } from '../table.ts'
import { idsText } from '../wording/entries.ts'
import { reasonOption } from './reverts.ts'
import { numberOf } from './sessions.ts'

const pageOptions = {
  limit: {
    type: 'whole',
    value: 'N',
    min: 1,
    max: pages.queue.max,
    default: pages.queue.default,
    about: 'How many',
  },
  after: {
    type: 'whole',
    value: 'N',
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
    about: 'The next page: the number that the page before ends with',
  },
} as const satisfies Options

const kinds = ['unapproved', 'unverified', 'reported', 'duplicates', 'bursts'] as const

function kindOf(text: string): (typeof kinds)[number] {
  const kind = kinds.find((each) => each === text)
  if (kind === undefined) throw usage(`KIND must be one of ${kinds.join(', ')}, not ${JSON.stringify(text)}`)
  return kind
}

const nameOf = ({ id, name }: { readonly id: string; readonly name?: string | undefined }): string =>
  name === undefined ? id : `${name} (${id})`

function subjectOf({ waypoint, review, user }: QueueItem): string {
  if (review !== undefined) return `review ${review.id}`
  if (waypoint !== undefined) return `${waypoint.name} (${waypoint.id})`
  return user === undefined ? 'gone' : nameOf(user)
}

const queueColumns: Column<QueueItem>[] = [
  { heading: 'SINCE', value: ({ since }) => since },
  { heading: 'WHAT', value: subjectOf },
  {
    heading: 'OTHER',
    value: ({ other }) => (other === undefined ? undefined : `${other.name} (${other.id})`),
  },
  { heading: 'WHY', value: ({ why }) => why },
  { heading: 'REPORTS', value: ({ reports = [] }) => reports.map(({ id }) => id).join(', ') },
]

/** How to go on to the next page. */
const nextLine = (next: number | undefined): string[] =>
  next === undefined ? [] : [`There is more: --after ${next}`]

export const moderateQueue = command({
  name: 'moderate queue',
  summary: 'Lists what there is for moderators to look at, oldest first.',
  more: 'KIND is unapproved, unverified, reported, duplicates (near each other and called alike) or bursts (people who changed very much of late). The first question about duplicates reads all places. user block and user unblock keep people from writing.',
  positionals: [{ name: 'KIND', about: 'Which queue' }],
  options: { ...databaseOption, ...pageOptions },
  examples: [
    { line: 'openfountain moderate queue reported', does: 'Shows what people reported' },
    { line: 'openfountain moderate queue duplicates --json', does: 'Prints { "items": …, "total": … }' },
  ],
  async run({ limit, after, ...options }, [kind = ''], context) {
    const wanted = { kind: kindOf(kind), limit, ...(after !== undefined && { after }) }
    await withRegistry(options, 'read', context, async (registry) => {
      const page = await registry.moderation.queue(wanted, token())
      context.out.table(page, page.items, queueColumns, 'Nothing to look at')
      if (!context.out.json) context.out.note([`${page.total} in all`, ...nextLine(page.next)].join('\n'))
    })
  },
})

const actColumns: Column<ModerationAct>[] = [
  { heading: 'ACT', value: ({ id }) => id },
  { heading: 'WHEN', value: ({ timestamp }) => timestamp },
  { heading: 'WHO', value: ({ user }) => nameOf(user) },
  { heading: 'WHAT', value: ({ kind }) => kind },
  {
    heading: 'OF',
    value: ({ waypoint, review, person }) => {
      if (waypoint !== undefined) return `${waypoint.name} (${waypoint.id})`
      if (review !== undefined) return `review ${review.id}`
      return person === undefined ? undefined : nameOf(person)
    },
  },
  { heading: 'WHY', value: ({ reason, redacted }) => (redacted === true ? '(redacted)' : reason) },
  { heading: 'ENTRIES', value: ({ entries }) => entries.length },
]

export const moderateActs = command({
  name: 'moderate acts',
  summary: 'Lists what moderators and the operator did, newest first.',
  more: 'Everybody may see it at /api/moderation/acts. moderate undo undoes one.',
  options: { ...databaseOption, ...pageOptions },
  examples: [{ line: 'openfountain moderate acts --limit 10', does: 'Shows the newest ten' }],
  async run({ limit, after, ...options }, _positionals, context) {
    await withRegistry(options, 'read', context, async (registry) => {
      const page = await registry.moderation.acts({ limit, ...(after !== undefined && { after }) })
      context.out.table(page, page.acts, actColumns, 'No acts')
      if (!context.out.json && page.next !== undefined) context.out.note(nextLine(page.next).join('\n'))
    })
  },
})

export const moderateMerge = command({
  name: 'moderate merge',
  summary: 'Merges a fountain into another that is the same.',
  more: 'The other gains its reviews and sources, and its address leads there. moderate undo takes it back.',
  positionals: [{ name: 'ID', about: 'The fountain that becomes a tombstone' }],
  options: {
    ...writingOptions,
    into: { type: 'text', value: 'ID', required: true, about: 'The fountain that is kept' },
    ...reasonOption,
  },
  examples: [
    { line: 'openfountain moderate merge 12 --into 7 --reason "The same"', does: 'Keeps fountain 7' },
  ],
  async run({ into, reason, ...options }, [id = ''], context) {
    const [merged, kept] = [numberOf(id), numberOf(into)]
    await withRegistry(options, 'change', context, async (registry) => {
      const waypoint = await registry.waypoints.merge(merged, { into: kept, reason }, token())
      context.out.result({ merged, waypoint }, () => [
        `Fountain ${merged} is merged into ${kept}: ${inert(waypoint.name)}`,
      ])
    })
  },
})

export const moderateDistinct = command({
  name: 'moderate distinct',
  summary: 'Says that two fountains are not the same, so that they are no duplicates any more.',
  positionals: [{ name: 'ID', about: 'One of them' }],
  options: {
    ...writingOptions,
    from: { type: 'text', value: 'ID', required: true, about: 'The other one' },
  },
  examples: [{ line: 'openfountain moderate distinct 12 --from 7', does: 'Takes the pair out of the queue' }],
  async run({ from, ...options }, [id = ''], context) {
    const [one, other] = [numberOf(id), numberOf(from)]
    await withRegistry(options, 'change', context, async (registry) => {
      const distinct = await registry.moderation.distinguish(one, other, token())
      context.out.result({ distinct }, () => [`Fountains ${idsText(distinct)} are not the same`])
    })
  },
})

const reportColumns: Column<Report>[] = [
  { heading: 'ID', value: ({ id }) => String(id) },
  { heading: 'CREATED', value: ({ createdAt }) => createdAt },
  {
    heading: 'ABOUT',
    value: ({ bubblerId, reviewId, userId }) =>
      bubblerId !== undefined
        ? `fountain ${bubblerId}`
        : reviewId !== undefined
          ? `review ${reviewId}`
          : `user ${userId}`,
  },
  { heading: 'REASON', value: ({ reason }) => reason },
  { heading: 'COMMENT', value: ({ comment }) => comment },
  { heading: 'NOTE', value: ({ note }) => note },
]

export const moderateReports = command({
  name: 'moderate reports',
  summary: 'Lists what people reported, oldest first.',
  more: 'Who reported it is for moderators to see, in their queue.',
  options: {
    ...databaseOption,
    state: {
      type: 'text',
      value: 'STATE',
      default: 'open',
      choices: ['open', 'done', 'dismissed'],
      about: 'Only reports in this state',
    },
    ...pageOptions,
  },
  examples: [
    { line: 'openfountain moderate reports', does: 'Shows open reports' },
    { line: 'openfountain moderate reports --state done', does: 'Shows those that led to something' },
  ],
  async run({ state, limit, after, ...options }, _positionals, context) {
    await withRegistry(options, 'read', context, async (registry) => {
      const query = { state, limit, ...(after !== undefined && { after }) }
      const reports = await registry.reports.list(query, token())
      context.out.table({ reports }, reports, reportColumns, 'No reports')
    })
  },
})

export const moderateReport = command({
  name: 'moderate report',
  summary: 'Closes a report.',
  more: 'A report that was closed otherwise stays so: exit code 5.',
  positionals: [
    { name: 'ID', about: 'The number of the report' },
    { name: 'STATE', about: 'done, or dismissed when nothing was to be done' },
  ],
  options: { ...writingOptions, note: { type: 'text', value: 'TEXT', about: 'A note for other moderators' } },
  examples: [
    { line: 'openfountain moderate report 3 done --note "Moved it"', does: 'Closes report 3' },
    { line: 'openfountain moderate report 4 dismissed', does: 'Closes report 4 without doing anything' },
  ],
  async run({ note, ...options }, [id = '', state = ''], context) {
    const number = numberOf(id)
    await withRegistry(options, 'change', context, async (registry) => {
      const report = await registry.reports.decide(
        number,
        { state: state as ReportDecision['state'], note },
        token(),
      )
      context.out.result({ report }, () => [`Report ${number} is ${report.state}`])
    })
  },
})

export const moderateReopen = command({
  name: 'moderate reopen',
  summary: 'Opens a report again that was closed, without the note of the one who closed it.',
  positionals: [{ name: 'ID', about: 'The number of the report' }],
  options: writingOptions,
  examples: [{ line: 'openfountain moderate reopen 3', does: 'Puts report 3 back into the queue' }],
  async run(options, [id = ''], context) {
    const number = numberOf(id)
    await withRegistry(options, 'change', context, async (registry) => {
      const report = await registry.reports.reopen(number, token())
      context.out.result({ report }, () => [`Report ${number} is open`])
    })
  },
})

export const moderateEraseReport = command({
  name: 'moderate erase-report',
  summary:
    'Permanently removes what was written in a report: its comment, and the note of the one who closed it.',
  more: 'The report stays, with its reason. Restoring an older backup does not bring the text back. When something still holds the text, such as a program that is reading the database, the command says what, and exits with 17: end it, and run it again. Backups that were made before keep the text until they are restored.',
  positionals: [{ name: 'ID', about: 'The number of the report' }],
  options: powerOptions,
  examples: [
    { line: 'openfountain moderate erase-report 3', does: 'Removes the comment and the note of report 3' },
  ],
  async run(options, [id = ''], context) {
    const number = numberOf(id)
    await withRegistry(options, 'change', context, async (registry) => {
      const report = await registry.reports.erase(number)
      context.out.result({ report }, () => [`Nothing that was written in report ${number} is left`])
    })
  },
})
