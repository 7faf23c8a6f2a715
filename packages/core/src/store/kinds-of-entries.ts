import { sql } from 'kysely'
import { differing } from './sql/query.ts'

const aboutModeration = `((subject = 'user' and action in ('blocked', 'unblocked')) or subject = 'entry'
  or (subject = 'review' and (action = 'deleted' or links is not null))
  or (subject = 'photo' and (action in ('hidden', 'shown', 'deleted') or links is not null))
  or (subject = 'observation' and links is not null)
  or (subject = 'waypoint' and (links is not null
    or action in ('approved', 'unapproved', 'verified', 'unverified', 'deleted'))))`

/** The first entry of each act of moderation, without imports: the condition of a partial index, which is used where it is repeated. */
export const moderationEntries = {
  sqlite: `${aboutModeration}
  and fields ->> '$.via' is null and coalesce(links ->> '$.act' = id, true)`,
  postgres: `case when ${aboutModeration}
  then fields::jsonb ->> 'via' is null and coalesce((links::jsonb ->> 'act')::bigint = id, true) else false end`,
}

/** Changes by people and their undoings by moderators, without programs and imports: the condition of a partial index. */
export const entriesOfPeople = {
  sqlite: `subject in ('waypoint', 'review', 'photo') and (by <> 'api' or links is not null)`,
  postgres: `subject in ('waypoint', 'review', 'photo') and ("by" <> 'api' or links is not null)`,
}

const condition = ({ sqlite, postgres }: typeof entriesOfPeople) =>
  differing<boolean>({ sqlite: sql.raw(sqlite), postgres: sql.raw(postgres) })

export const ofModeration = condition(moderationEntries)
export const ofPeople = condition(entriesOfPeople)
