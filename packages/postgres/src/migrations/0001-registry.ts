import { randomBytes } from 'node:crypto'
import { entriesOfPeople, firstSchema, moderationEntries } from '@openfountain/core/engine'

/**
 * The first schema of the registry: the tables and indexes of the SQLite engine, column by column, so that their rows are
 * copied as they are, and what PostgreSQL has in its own way.
 */
export const statements = (): readonly string[] => [
  ...firstSchema().filter(isShared).map(translated),
  ...waypoints,
  ...others,
  ...guards,
  ...counters(),
]

/** Tables of search, triggers and views are each engine's own, and so are some indexes. */
const isShared = (statement: string): boolean =>
  /^(?:create (?:table|index)|insert into users) /.test(statement) &&
  !/^create \w+ (?:search|waypointsByName|entriesOf(?:Moderation|People))/.test(statement)

/** Texts are compared by code point. */
const text = 'text collate "C"'
const types: Readonly<Record<string, string>> = {
  text,
  any: text,
  integer: 'bigint',
  real: 'double precision',
  blob: 'bytea',
}

/** A statement of SQLite in the words of PostgreSQL, which would fold the case of names without quotes. */
const translated = (statement: string): string =>
  statement
    .replace(/^create table (\w+)/, 'create table "$1"')
    .replaceAll(/^( +)"?(\w+)"? (text|any|integer|real|blob)\b/gm, (_line, indent, name, type) => {
      const isSmall = ['verifiedOnce', 'rating'].includes(name)
      return `${indent}"${name}" ${isSmall ? 'smallint' : types[type]}`
    })
    .replaceAll(/bigint (not null check \(\w+ in \(0, 1\)\)|primary key check)/g, 'smallint $1')
    .replaceAll(/json_type\("?(\w+)"?\)/g, 'json_typeof("$1"::json)')
    .replaceAll(/'[^']*'|"[^"]*"|--.*|\b[a-z]+[A-Z]\w*\b/g, (word) =>
      /^['"-]/.test(word) ? word : `"${word}"`,
    )
    .replace(' autoincrement', '')
    .replace(/ strict(?:, without rowid)?$/, '')
    .replace("(id glob kind || ':?*')", "(starts_with(id, kind || ':') and length(id) > length(kind) + 1)")
    .replace(
      /check \(\("bubblerId" is not null\) \+.*/,
      'check (num_nonnulls("bubblerId", "reviewId", "photoId", "userId") = 1)',
    )

const waypoints = [
  // What search looks in, like the index of words of the other engine. NULL for tombstones.
  `alter table "waypoints" add "searchText" ${text}, add "searchTokens" integer[]`,
  `create index "waypointsBySearch" on "waypoints" using gin ("searchTokens")`,
  // An index has at most 2704 bytes of a row, and a letter may fold to eighteen.
  `create index "waypointsByName" on "waypoints" (substr("foldedName", 1, 400), "id")`,
]

const others = [
  // Checked at the end of a statement, which may give a name or a reference from one row to another.
  `alter table "sources" drop constraint "sources_name_key", add unique ("name") deferrable`,
  `alter table "records" add constraint "recordsByRef" unique ("sourceId", "ref") deferrable`,
  // A complete import of a source says of all its records that it lists them, without an entry for each.
  `create view "listings" as
    select r."id", r."sourceId", r."ref", r."waypointId", r."state", r."checked", r."updated", r."since", r."until",
      r."tags", r."firstSeen",
      case when r."missingSince" is null and s."listedAt" > r."lastSeen" then s."listedAt" else r."lastSeen" end
        as "lastSeen", r."missingSince",
      case when r."missingSince" is null and s."listedAt" >= r."lastSeen" then s."published" end as "published",
      -- The day as of which it lists it: that of the publication of what was imported when it was last said, if known.
      case when r."missingSince" is null and s."listedAt" >= r."lastSeen"
        then s."published"
        else (select i."published" from "imports" i
          where i."published" is not null and i."sourceId" = r."sourceId" and r."lastSeen" between i."startedAt" and i."finishedAt"
          order by i."finishedAt" limit 1) end as "listedOn"
    from "records" r join "sources" s on s."id" = r."sourceId"`,
  `create index "entriesOfModeration" on "entries" ("id") where ${moderationEntries.postgres}`,
  `create index "entriesOfPeople" on "entries" ("id", "by") where ${entriesOfPeople.postgres}`,
  // The last numbers given: a sequence would skip those of writes that were rolled back.
  `create table "numbers" (
    "name" ${text} primary key,
    "last" bigint not null
  ) with (fillfactor = 50)`,
  `insert into "numbers" values ('secrets', 0), ('reports', 0), ('distinctions', 0), ('doubts', 0)`,
  // The newest transaction of each writing process, which tells whether an unanswered commit was done.
  `create table "writers" (
    "id" ${text} primary key,
    "transaction" bigint not null,
    "at" timestamptz not null
  ) with (fillfactor = 50)`,
]

const neverDeleted = (table: string, reason: string): string[] => [
  `create trigger "${table}RefuseDelete" before delete on "${table}" for each row
    execute function "refuse"('${table} ${reason}')`,
  `create trigger "${table}RefuseTruncate" before truncate on "${table}" for each statement
    execute function "refuse"('${table} ${reason}')`,
]

const keptRows = ['waypoints', 'reviews', 'photos', 'observations', 'areas', 'records']

const guards = [
  // Refuses what a trigger found, with its argument as the reason.
  `create function "refuse"() returns trigger language plpgsql as $$
    begin raise exception '%', TG_ARGV[0]; end $$`,
  ...keptRows.flatMap((table) => [
    `create trigger "${table}RefuseMove" before update on "${table}" for each row when (new.id <> old.id)
      execute function "refuse"('${table} keep their ids')`,
    ...neverDeleted(
      table,
      `are never deleted, they ${table === 'records' ? 'are marked as missing' : 'become tombstones'}`,
    ),
  ]),
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
]

const hex = (bytes: number): string => randomBytes(bytes).toString('hex')

const counters = () => [
  // Room for the rows that every write changes.
  `alter table "users" set (fillfactor = 70)`,
  `alter table "state" set (fillfactor = 10)`,
  `insert into "state" values (1, '${hex(16)}', '${hex(32)}', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, '{}', '', null,
    '1970-01-01T00:00:00.000Z')`,
]
