import { ModerationAct, QueueItem, Waypoint } from '@openfountain/core'
import {
  DecidedRow,
  ManyChanged,
  ManyInput,
  parse,
  PersonWork,
  QueueKind,
  RowDecisions,
  SeasonInput,
  WorkKind,
} from '@openfountain/core/internal'
import { limits, moderation, pages } from '@openfountain/core/rules'
import { z } from 'zod'
import {
  endpoint,
  type Call,
  type Endpoint,
  integer,
  integerOr,
  pageAfter,
  pathId,
  Reply,
  words,
} from '../endpoint.ts'
import { located } from './photos.ts'

const tag = 'Moderation'
export const moderating = { tag, who: 'moderator' } as const
const stewarding = { tag, who: 'steward' } as const

const Id = z.object({ id: pathId('waypoint') })
const UserId = z.object({ id: words(limits.userId, 'The id of the user') })
const ReasonText = z.string().min(1).max(limits.description).meta({ description: 'Why; it is public' })
const EntryIds = z.array(z.int().positive())
const nextBefore = z.int().positive().optional().meta({ description: 'Absent when there is nothing more' })
const limited = `At most ${moderation.takeBacksPerHour} removals and take-backs by a moderator in an hour, by whatever endpoint.`

const Reasoned = z.object({ reason: ReasonText }).meta({ id: 'Reasoned' })
const Merge = z
  .object({ into: z.int().positive().meta({ description: 'The waypoint that is kept' }), reason: ReasonText })
  .meta({ id: 'Merge' })
const Distinction = z
  .object({ from: z.int().positive().meta({ description: 'The other waypoint' }) })
  .meta({ id: 'Distinction' })
const BlockInput = z
  .object({
    reason: ReasonText,
    until: z.iso
      .datetime({ offset: true })
      .optional()
      .meta({ description: 'When it ends; never when absent' }),
  })
  .meta({ id: 'BlockInput' })
const PersonRevert = z
  .object({
    since: z.iso.datetime({ offset: true }).meta({ description: 'Only what was done then or later' }),
    reason: ReasonText,
    dryRun: z.boolean().optional().meta({ description: 'Says what would be undone, and writes nothing' }),
    before: z.int().positive().optional().meta({ description: '`next` of the page before' }),
  })
  .meta({ id: 'PersonRevert' })
const ActUndo = PersonRevert.omit({ since: true }).meta({ id: 'ActUndo' })

const RevertConflict = z
  .object({
    entry: z.int().positive().meta({ description: 'The entry, of which the other fields are undone' }),
    fields: z.array(z.string()).meta({ description: 'What others changed since; may be empty' }),
  })
  .meta({ id: 'RevertConflict' })

const idsOf = ([first, last]: readonly [number, number] = [1, 0]): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index)

const undoingEndpoints: readonly Endpoint[] = [
  endpoint({
    ...moderating,
    route: 'POST /api/logs/{id}/revert',
    name: 'revertEntry',
    summary: 'Undo an entry of the log by new ones',
    description:
      'Of a waypoint or a review. Reverting a creation deletes, reverting a deletion restores; XP that was earned is taken back. When somebody changed the same fields since, nothing is undone and `details.fields` names them.',
    path: z.object({ id: pathId('entry') }),
    body: { schema: Reasoned },
    success: {
      description: 'The entry that is undone, and the entries that undo it',
      body: z.object({ reverted: z.int().positive(), entries: EntryIds }),
    },
    errors: ['NOT_FOUND', 'CONFLICT', 'RATE_LIMITED'],
    run: async ({ registry, path, body, actor }) => ({
      reverted: path.id,
      entries: await registry.changes.revert(path.id, parse(Reasoned, body), actor),
    }),
    repeated: ({ path }, { entries }) => ({ reverted: path.id, entries: idsOf(entries) }),
  }),
  endpoint({
    ...moderating,
    route: 'POST /api/users/{id}/revert',
    name: 'revertUser',
    summary: 'Undo what a user changed since a time',
    description: `The newest first, at most ${moderation.revertedAtOnce} entries, as one act. What others changed since stays, field by field, and is listed; what is undone already is left out. XP that the undone changes earned is taken back. Where there is more, \`next\` is what the following request sends as \`before\`. Never of the built-in users, which stand for imports, programs and observers. ${limited}`,
    isRecent: true,
    path: UserId,
    body: { schema: PersonRevert },
    success: {
      description: 'The entries that are undone, newest first, and those that stay',
      body: z.object({
        reverted: EntryIds,
        conflicts: z.array(RevertConflict),
        next: nextBefore,
      }),
    },
    errors: ['NOT_FOUND', 'RATE_LIMITED'],
    run: ({ registry, path, body, actor }) =>
      registry.users.revert(path.id, parse(PersonRevert, body), actor),
    repeated: ({ registry, path, body, actor }, { entries }) =>
      registry.users.reverted(path.id, parse(PersonRevert, body), { actor, entries }),
  }),
  endpoint({
    ...moderating,
    route: 'POST /api/moderation/acts/{id}/undo',
    name: 'undoAct',
    summary: 'Undo what an act did',
    description: `As one act, which can be undone too: what a revert took back stands again, with the XP, what was deleted or merged is back, and so on; all of it at once. What was changed since stays, field by field, and is listed. What the operator did is undone by the command alone; redactions are not undone. ${limited} Undoing an act of one’s own does not count. Where that limit is reached before the end, \`next\` is what a later request sends as \`before\`.`,
    isRecent: true,
    path: z.object({ id: pathId('act') }),
    body: { schema: ActUndo },
    success: {
      description: 'The entries of the act that are undone, newest first, and those that stay',
      body: z.object({ undone: EntryIds, conflicts: z.array(RevertConflict), next: nextBefore }),
    },
    errors: ['NOT_FOUND', 'CONFLICT', 'RATE_LIMITED'],
    run: ({ registry, path, body, actor }) => registry.moderation.undo(path.id, parse(ActUndo, body), actor),
    repeated: ({ registry, path, body, actor }, { entries }) =>
      registry.moderation.undone(path.id, parse(ActUndo, body), { actor, entries }),
  }),
  endpoint({
    ...moderating,
    route: 'POST /api/users/{id}/block',
    name: 'blockUser',
    summary: 'Keep a user from writing',
    description:
      'Until a time, or without an end. The user can still read, export their data and leave; every other write is refused with the reason. Another block replaces the one before. Moderators cannot be blocked.',
    path: UserId,
    body: { schema: BlockInput },
    success: {
      description: 'The block that is in force',
      body: z.object({ block: z.object({ reason: z.string(), until: z.iso.datetime().optional() }) }),
    },
    errors: ['NOT_FOUND'],
    run: async ({ registry, path, body, actor }) => ({
      block: await registry.users.block(path.id, parse(BlockInput, body), actor),
    }),
    repeated: async ({ registry, path }) => ({ block: await registry.users.blockOf(path.id) }),
  }),
  endpoint({
    ...moderating,
    route: 'DELETE /api/users/{id}/block',
    name: 'unblockUser',
    summary: 'Let a blocked user write again',
    path: UserId,
    success: { status: 204, description: 'The user is not blocked' },
    errors: ['NOT_FOUND'],
    run: async ({ registry, path, actor }) => {
      await registry.users.unblock(path.id, actor)
    },
    repeated: () => {},
  }),
  endpoint({
    ...moderating,
    route: 'POST /api/waypoints/{id}/merge',
    name: 'mergeWaypoint',
    summary: 'Merge a waypoint into another that is the same fountain',
    description:
      'It becomes a tombstone that names the other, which gains its reviews and its sources; restoring it moves them back.',
    path: Id,
    body: { schema: Merge },
    success: {
      description: 'The waypoint that is kept',
      body: z.object({ waypoint: Waypoint }),
    },
    errors: ['NOT_FOUND', 'RATE_LIMITED'],
    run: async ({ registry, path, body, actor }) => ({
      waypoint: await registry.waypoints.merge(path.id, parse(Merge, body), actor),
    }),
    repeated: async ({ registry, body }) => ({
      waypoint: await registry.waypoints.get(parse(Merge, body).into),
    }),
  }),
  endpoint({
    ...moderating,
    route: 'POST /api/waypoints/{id}/restore',
    name: 'restoreWaypoint',
    summary: 'Bring a deleted waypoint back under its id',
    description: 'As it was, with what a merge moved away from it. It earns nothing.',
    path: Id,
    body: { schema: Reasoned },
    success: { description: 'The waypoint', body: z.object({ waypoint: Waypoint }) },
    errors: ['NOT_FOUND', 'CONFLICT'],
    run: async ({ registry, path, body, actor }) => ({
      waypoint: await registry.waypoints.restore(path.id, parse(Reasoned, body), actor),
    }),
    repeated: async ({ registry, path }) => ({ waypoint: await registry.waypoints.get(path.id) }),
  }),
  endpoint({
    ...moderating,
    route: 'POST /api/waypoints/{id}/distinct',
    name: 'distinguishWaypoint',
    summary: 'Say that two waypoints are not the same fountain',
    description: 'They leave the queue of duplicates for good. It is not in the log.',
    path: Id,
    body: { schema: Distinction },
    success: {
      description: 'Their ids, the smaller one first',
      body: z.object({ distinct: z.tuple([z.int().positive(), z.int().positive()]) }),
    },
    errors: ['NOT_FOUND'],
    run: async ({ registry, path, body, actor }) => ({
      distinct: await registry.moderation.distinguish(path.id, parse(Distinction, body).from, actor),
    }),
    repeated: ({ path, body }) => {
      const { from } = parse(Distinction, body)
      return { distinct: [Math.min(path.id, from), Math.max(path.id, from)] }
    },
  }),
]

const decideRows = async ({
  registry,
  body,
  actor,
}: Pick<Call<unknown, unknown>, 'registry' | 'body' | 'actor'>) => ({
  rows: await registry.moderation.decide(parse(RowDecisions, body), actor),
})

const next = z
  .int()
  .positive()
  .optional()
  .meta({ description: 'What the next page has as `after`; absent on the last one' })

const kindOf = <Kind extends string>(
  { options }: { readonly options: readonly Kind[] },
  description: string,
) =>
  z
    .enum(options, {
      error: ({ input }) => (input === undefined ? 'is required' : `must be one of ${options.join(', ')}`),
    })
    .meta({ description })

export const moderationEndpoints: readonly Endpoint[] = [
  endpoint({
    ...stewarding,
    route: 'GET /api/moderation/queue',
    name: 'getModerationQueue',
    summary: 'What there is for moderators to look at, oldest first',
    description:
      '`unapproved` waypoints, and `unverified` ones that people added and no source lists; what is `reported`; `duplicates`, which are near each other and called alike, unless one source lists both; `bursts`, people who changed unusually much of late; `doubtful` rows of imports, which may be waypoints that are here; `photos` that wait to be shown. Who reported something is for moderators alone.',
    query: z.object({
      kind: kindOf(QueueKind, 'Which queue'),
      source: words(limits.sourceName, 'Of `doubtful`: those of the source with this name').optional(),
      limit: integerOr(pages.queue.default, { min: 1, max: pages.queue.max }, 'How many'),
      after: integerOr(0, {}, '`next` of the page before'),
    }),
    success: {
      description: 'A page of the queue, and how long it is',
      body: z.object({ items: z.array(QueueItem), total: z.int().min(0), next }),
    },
    errors: ['FORBIDDEN', 'NOT_FOUND'],
    run: async (call) => {
      const page = await call.registry.moderation.queue(call.query, call.actor)
      const items = page.items.map((item) =>
        item.photo === undefined ? item : { ...item, photo: located(item.photo, call) },
      )
      return new Reply({ ...page, items }, pageAfter(call, page.next))
    },
  }),
  endpoint({
    ...stewarding,
    route: 'POST /api/moderation/doubtful',
    name: 'decideDoubtfulRows',
    summary: 'Decide doubtful rows of imports',
    description: `At most ${moderation.decidedAtOnce}, in one transaction: each is decided, or refused with the reason, whatever comes of the others. What is imported has the author of its import and earns nothing; undoing the import undoes it too. A decision that was made already is answered as it is.`,
    body: { schema: RowDecisions },
    success: {
      description: 'What came of each, in the order of the decisions',
      body: z.object({ rows: z.array(DecidedRow) }),
    },
    errors: ['FORBIDDEN'],
    run: decideRows,
    repeated: decideRows,
  }),
  endpoint({
    ...stewarding,
    route: 'POST /api/moderation/waypoints',
    name: 'changeManyWaypoints',
    summary: 'Change or delete many waypoints at once',
    description: `Those that match \`where\`, at most ${moderation.changedAtOnce}, as one act: \`POST /api/moderation/acts/{id}/undo\` takes it back. Who does it earns nothing. Of a moderator, deletions count as ${moderation.takeBacksPerHour} removals an hour at most.`,
    isRecent: true,
    body: { schema: ManyInput },
    success: { description: 'The act, and the waypoints that changed', body: ManyChanged },
    errors: ['FORBIDDEN', 'INSUFFICIENT_XP', 'RATE_LIMITED'],
    run: ({ registry, body, actor }) => registry.waypoints.updateMany(parse(ManyInput, body), actor),
    repeated: ({ registry }, { entries }) => registry.waypoints.updatedMany(entries),
  }),
  endpoint({
    route: 'POST /api/waypoints/season',
    name: 'setSeasonOfMany',
    tag,
    summary: 'Say when many waypoints have water in the year',
    description: `Those that match \`what\`, or those of \`ids\`, at most ${moderation.changedAtOnce}, as one act: \`POST /api/moderation/acts/{id}/undo\` takes it back. The same as \`POST /api/moderation/waypoints\` with \`set.season\`, and for keepers, too, of what they keep: with others among \`ids\` it is a 403 with those.`,
    who: 'contributor',
    isRecent: true,
    body: { schema: SeasonInput },
    success: { description: 'The act, and the waypoints that changed', body: ManyChanged },
    errors: ['FORBIDDEN', 'INSUFFICIENT_XP'],
    run({ registry, body, actor }) {
      const { what, ids, season, ...more } = parse(SeasonInput, body)
      return registry.waypoints.updateMany({ where: what ?? { ids }, set: { season }, ...more }, actor)
    },
    repeated: ({ registry }, { entries }) => registry.waypoints.updatedMany(entries),
  }),
  endpoint({
    ...moderating,
    route: 'GET /api/moderation/people/{id}',
    name: 'getPersonWork',
    summary: 'What a person did, oldest first',
    description:
      '`waypoints` that they made or changed, and the `reviews`, `observations` and `reports` that stand. Of people who left without their name; the built-in users are not people.',
    path: UserId,
    query: z.object({
      kind: kindOf(WorkKind, 'Which work'),
      limit: integerOr(pages.queue.default, { min: 1, max: pages.queue.max }, 'How many'),
      after: integerOr(0, {}, '`next` of the page before'),
    }),
    success: { description: 'A page of their work', body: PersonWork },
    errors: ['FORBIDDEN', 'NOT_FOUND'],
    run: async (call) => {
      const { registry, path, query, actor } = call
      const page = await registry.moderation.person(path.id, query, actor)
      return new Reply(page, pageAfter(call, page.next))
    },
  }),
  endpoint({
    route: 'GET /api/moderation/acts',
    name: 'listModerationActs',
    tag,
    summary: 'What moderators and the operator did, newest first',
    description:
      'Flags, deletions, merges, restores, reverts, blocks and redactions, with their reasons. Everything in it is in the log too. A page may be shorter than its limit.',
    who: 'anyone',
    query: z.object({
      limit: integerOr(pages.acts.default, { min: 1, max: pages.acts.max }, 'How many'),
      after: integer({}, '`next` of the page before').optional(),
    }),
    success: {
      description: 'A page of acts',
      body: z.object({ acts: z.array(ModerationAct), next }),
    },
    run: async (call) => {
      const page = await call.registry.moderation.acts(call.query)
      return new Reply(page, pageAfter(call, page.next))
    },
  }),
  ...undoingEndpoints,
]
