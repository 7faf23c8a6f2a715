import { entriesOfPeople, moderationEntries } from '@openfountain/core/engine'
import { isJson, neverDeleted, text } from './0001-guards.ts'

/** The tables of the log and its tree. */
export const log = [
  `create table "entries" (
    "id" bigint primary key,
    "at" ${text} not null,
    "by" ${text} not null references "users" ("id"),
    "subject" ${text} not null,
    -- The id of a user, or a number in decimal digits.
    "subjectId" ${text} not null,
    "action" ${text} not null,
    "fields" ${text} not null check ${isJson('fields', 'object')},
    "awards" ${text} check ("awards" is null or ${isJson('awards', 'array')}),
    "links" ${text} check ("links" is null or ${isJson('links', 'object')}),
    "seed" bytea check ("seed" is null or length("seed") = 16),
    "leaf" bytea not null check (length("leaf") = 32),
    "salts" ${text},
    "commitments" ${text},
    check (("seed" is null) = ("commitments" is not null) and ("seed" is null) = ("salts" is not null))
  )`,
  `create index "entriesOfWaypoint" on "entries" ("subjectId", "id") where "subject" = 'waypoint'`,
  `create index "entriesOfOthers" on "entries" ("subject", "subjectId", "id") where "subject" <> 'waypoint'`,
  `create index "entriesByUser" on "entries" ("by", "subject", "action", "id")`,
  `create index "entriesByAction" on "entries" ("action", "id") where "subject" = 'waypoint'`,
  // The first entry of each act of moderation, and recent changes by people without programs and imports.
  `create index "entriesOfModeration" on "entries" ("id") where ${moderationEntries.postgres}`,
  `create index "entriesOfPeople" on "entries" ("id", "by") where ${entriesOfPeople.postgres}`,
  // Few entries lost fields, and a mirror asks for them each time it follows.
  `create index "entriesWithLosses" on "entries" ("id") where "seed" is null`,
  ...neverDeleted('entries', 'is append-only'),
  // PostgreSQL reads no JSON with an escaped U+0000 or half a character in it. Backslashes and such escapes become
  // characters that canonical JSON never contains, so that different texts stay different.
  String.raw`create function "withoutEscapes"("given" text) returns json language sql immutable as $$
    select replace(replace("given", '\\', '\/\/'), '\u', '\/u')::json $$`,
  // The only allowed change of an entry: the loss of fields that a later entry redacts.
  `create function "entriesRefuseUpdate"() returns trigger language plpgsql as $$
    begin
      if new."id" = old."id" and new."at" = old."at" and new."by" = old."by" and new."subject" = old."subject"
        and new."subjectId" = old."subjectId" and new."action" = old."action" and new."leaf" = old."leaf"
        and new."awards" is not distinct from old."awards" and new."links" is not distinct from old."links"
        and new."seed" is null
        and exists (select from "entries" where "subject" = 'entry' and "subjectId" = old."id"::text)
        and not exists (
          select from json_each("withoutEscapes"(new."fields")) n
          where not exists (
            select from json_each("withoutEscapes"(old."fields")) o
            where o.key = n.key and o.value::text = n.value::text
          )
        )
      then return new; end if;
      raise exception 'entries is append-only';
    end $$`,
  `create trigger "entriesRefuseUpdate" before update on "entries" for each row
    execute function "entriesRefuseUpdate"()`,

  // Roots of full tiles of the tree. For tiles of 256 entries: the actions on waypoints in the log up to its end.
  `create table "tiles" (
    "level" bigint not null,
    "place" bigint not null,
    "root" bytea not null check (length("root") = 32),
    "actions" bigint,
    primary key ("level", "place")
  )`,
  `create index "tilesByActions" on "tiles" ("actions") where "level" = 0`,
]
