import { sql } from 'kysely'
import type { Answers, Questions } from '../../decide/deciding.ts'
import { apiUserId, type Subject } from '../../log/entry.ts'
import { storedEntryOf, type Row } from '../rows.ts'
import { unindexed } from '../sql/expressions.ts'
import {
  build,
  differing,
  query,
  type Reading,
  rowCount,
  shaped,
  subject,
  text,
  whole,
} from '../sql/query.ts'
import { entryReads } from './entries.ts'
import { waypointReads } from './waypoints.ts'

const entries = () => build.selectFrom('entries').selectAll()
const about = shaped((isOfWaypoint: boolean) =>
  entries()
    .where(isOfWaypoint ? sql<boolean>`subject = 'waypoint'` : sql<boolean>`subject <> 'waypoint'`)
    .where('subject', '=', text<Subject>('subject'))
    .where('subjectId', '=', subject('subjectId'))
    .orderBy('id'),
)
const by = (userId = sql`${sql.ref('by')}`) =>
  entries()
    .where(sql<boolean>`${userId} = ${text('userId')}`)
    .where('at', '>=', text('since'))
    .where('id', '<', whole('before'))
// The built-in user is the author of most entries, those of imports: they are read in the order of the log instead of
// sorted.
const byBuiltIn = query(() =>
  by(unindexed(sql.ref('by')))
    .orderBy('id', 'desc')
    .limit(rowCount('limit')),
)
// One person's entries are found first: in the order of the log, PostgreSQL would read all others too.
const byPerson = query(() =>
  build
    .selectFrom(
      sql<Row<'entries'>>`(${by()} ${differing({ sqlite: sql``, postgres: sql`offset 0` })})`.as('theirs'),
    )
    .selectAll()
    .orderBy('id', 'desc')
    .limit(rowCount('limit')),
)
const moderators = query(() =>
  build.selectFrom('users').select('name').where('isModerator', '=', 1).where('leftAt', 'is', null),
)

/** Questions of decisions, besides nouns by their ids. */
export const questionReads: {
  readonly [Question in keyof Questions]: (of: Questions[Question]) => Reading<Answers[Question]>
} = {
  *entriesAbout(of) {
    return (yield* about(of.subject === 'waypoint').all({ ...of })).map(storedEntryOf)
  },
  entriesAfter: ({ after, limit }) => entryReads.after(after, limit),
  *entriesBy(of) {
    return (yield* (of.userId === apiUserId ? byBuiltIn : byPerson).all({ ...of })).map(storedEntryOf)
  },
  *moderators() {
    return (yield* moderators.all()).map(({ name }) => name)
  },
  *near({ latitude, longitude, metres, limit }) {
    const near = { latitude, longitude, radius: metres }
    return (yield* waypointReads.near({ near, limit })).map(({ id }) => id)
  },
}
