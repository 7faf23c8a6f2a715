import { randomBytes } from 'node:crypto'
import { guards, isJson, keepsIds, neverDeleted, text } from './0001-guards.ts'
import { log } from './0001-log.ts'

/** The first schema: the tables of the SQLite engine column by column. Texts are compared by code point. */
export const statements = (): readonly string[] => [
  ...guards,
  ...people,
  ...imported,
  ...places,
  ...observed,
  ...log,
  ...besideTheLog,
  ...counters(),
]

// Names, addresses and who left are not in the log; all other columns are its fold.
const people = [
  `create table "users" (
    "id" ${text} primary key,
    "name" ${text} not null default '',
    "email" ${text},
    "updatedAt" ${text} not null default '',
    "leftAt" ${text} check ("leftAt" is null or ("name" = '' and "email" is null)),
    "isModerator" smallint not null check ("isModerator" in (0, 1)),
    "xp" bigint not null,
    "waypointsCreated" bigint not null,
    "waypointsEdited" bigint not null,
    "reviewsPosted" bigint not null,
    "actions" ${text} not null default '{}' check ${isJson('actions', 'object')},
    "blockReason" ${text},
    "blockUntil" ${text} check ("blockUntil" is null or "blockReason" is not null),
    "keeps" ${text} check ("keeps" is null or ${isJson('keeps', 'array')}),
    "createdAt" ${text} not null
  ) with (fillfactor = 70)`,
  `create index "usersByAge" on "users" ("createdAt", "id") where "leftAt" is null`,
]

const imported = [
  `create table "sources" (
    "id" bigint primary key,
    -- Checked at the end of a statement, which may give a name from one source to another.
    "name" ${text} not null unique deferrable,
    "url" ${text},
    "license" ${text} not null,
    "attribution" ${text},
    "listedAt" ${text},
    "published" ${text},
    "createdAt" ${text} not null,
    "updatedAt" ${text} not null,
    -- How many live waypoints it lists.
    "waypoints" bigint not null default 0
  )`,
  // updatedAt, checkpoint and counts are not in the log.
  `create table "imports" (
    "id" bigint primary key,
    "sourceId" bigint not null references "sources" ("id"),
    "fileName" ${text},
    "fileSha256" ${text},
    "fileBytes" bigint,
    "startedAt" ${text} not null,
    "finishedAt" ${text},
    "published" ${text},
    "updatedAt" ${text} not null default '',
    "checkpoint" ${text},
    "counts" ${text} not null default '{}'
  )`,
  `create index "importsBySource" on "imports" ("sourceId", "id")`,
  `create index "importsByEnd" on "imports" ("sourceId", "finishedAt") where "published" is not null`,
  // Where a source is harvested, and what came of it; not in the log.
  `create table "schedules" (
    "id" bigint primary key references "sources" ("id"),
    "url" ${text} not null,
    "every" ${text} not null,
    "options" ${text} not null check ${isJson('options', 'object')},
    "etag" ${text},
    "lastModified" ${text},
    "sha256" ${text},
    "wholeAt" ${text},
    "checkedAt" ${text},
    "nextAt" ${text},
    "staleSince" ${text},
    "failures" bigint not null,
    "lease" ${text},
    "leasedAt" ${text} check (("leasedAt" is null) = ("lease" is null)),
    "leaseUntil" ${text} check (("leaseUntil" is null) = ("lease" is null))
  )`,
  `create table "harvests" (
    "id" ${text} primary key,
    "sourceId" bigint not null references "sources" ("id"),
    "startedAt" ${text} not null,
    "endedAt" ${text} not null,
    "outcome" ${text} not null,
    "reason" ${text} check (("reason" is null) = ("outcome" in ('imported', 'unchanged'))),
    "status" bigint,
    "read" bigint not null,
    "added" bigint not null,
    "changed" bigint not null,
    "missing" bigint not null,
    "refused" bigint not null,
    "message" ${text},
    "location" ${text}
  )`,
  `create index "harvestsBySource" on "harvests" ("sourceId", "startedAt")`,
  `create index "harvestsByEnd" on "harvests" ("endedAt")`,
  // Programs that are told of events, and who tells them; not in the log, and in no export.
  `create table "webhooks" (
    "id" ${text} primary key,
    "url" ${text} not null,
    "what" ${text} not null check ${isJson('what', 'object')},
    "events" ${text} check ${isJson('events', 'array')},
    "description" ${text},
    "generation" bigint not null,
    "rotatedAt" ${text},
    "place" bigint not null,
    "attempts" bigint not null,
    "nextAt" ${text},
    "lastStatus" bigint,
    "lastError" ${text},
    "kept" ${text} not null check ${isJson('kept', 'array')},
    "disabledAt" ${text},
    "createdAt" ${text} not null
  )`,
  `create table "workers" (
    "id" ${text} primary key,
    "origin" ${text},
    "lease" ${text},
    "leasedAt" ${text} check (("leasedAt" is null) = ("lease" is null)),
    "leaseUntil" ${text} check (("leaseUntil" is null) = ("lease" is null))
  )`,
]

const places = [
  `create table "waypoints" (
    "id" bigint primary key,
    "name" ${text} not null,
    "latitude" double precision not null check ("latitude" between -90 and 90),
    "longitude" double precision not null check ("longitude" between -180 and 180),
    "description" ${text},
    "amenities" ${text} not null check ${isJson('amenities', 'array')},
    "image" ${text},
    "maintainer" ${text},
    "region" ${text},
    "openingHours" ${text},
    "season" ${text},
    "drinkable" ${text},
    "access" ${text},
    "properties" ${text} check ("properties" is null or ${isJson('properties', 'object')}),
    "approved" smallint not null check ("approved" in (0, 1)),
    "verified" smallint not null check ("verified" in (0, 1)),
    "verifiedOnce" smallint not null check ("verifiedOnce" >= "verified"),
    "isAttested" smallint not null check ("isAttested" in (0, 1)),
    "addedByUserId" ${text} not null references "users" ("id"),
    "createdAt" ${text} not null,
    "updatedAt" ${text} not null,
    "deletedAt" ${text},
    -- Several waypoints are saved together, each as the last of its entries left it.
    "mergedInto" bigint references "waypoints" ("id") deferrable initially deferred,
    "redactedFields" ${text} check ("redactedFields" is null or ${isJson('redactedFields', 'array')}),
    "version" bigint not null,
    "foldedName" ${text} not null,
    "cell" bigint,
    -- The place around the position, derived from boundaries; not in the log.
    "country" ${text},
    "subdivision" ${text},
    "placeName" ${text},
    -- What a waypoint without a name is called.
    "label" ${text} check (("label" is null) = ("name" <> '')),
    -- How many entries the log had when the place was last assigned by itself.
    "placedAfter" bigint,
    -- What search looks in; this engine's own, like the index of words of the other. NULL for tombstones.
    "searchText" ${text},
    "searchTokens" integer[]
  )`,
  keepsIds('waypoints'),
  ...neverDeleted('waypoints', 'are never deleted, they become tombstones'),
  // An index has at most 2704 bytes of a row, and a letter may fold to eighteen.
  `create index "waypointsByName" on "waypoints" (substr("foldedName", 1, 400), "id")`,
  `create index "waypointsByRegion" on "waypoints" (coalesce("region", "placeName"), "id")
    where "deletedAt" is null and coalesce("region", "placeName") is not null`,
  `create index "waypointsByCountry" on "waypoints" ("country", "id")
    where "deletedAt" is null and "country" is not null`,
  `create index "waypointsBySubdivision" on "waypoints" ("subdivision", "id")
    where "deletedAt" is null and "subdivision" is not null`,
  `create index "waypointsByPlacing" on "waypoints" ("placedAfter") where "placedAfter" is not null`,
  // The queue of moderators.
  `create index "waypointsUnapproved" on "waypoints" ("id") where "approved" = 0 and "deletedAt" is null`,
  `create index "waypointsUnverified" on "waypoints" ("id")
    where "verified" = 0 and "deletedAt" is null and "addedByUserId" <> 'api'`,
  `create index "waypointsVerified" on "waypoints" ("id") where "verified" = 1 and "deletedAt" is null`,
  // Removed waypoints, for their author.
  `create index "waypointsRemoved" on "waypoints" ("addedByUserId", "id") where "deletedAt" is not null`,
  `create index "waypointsByAmenities" on "waypoints" ("amenities", "id") where "deletedAt" is null`,
  `create index "waypointsByCell" on "waypoints" ("cell") where "cell" is not null`,
  `create index "waypointsBySearch" on "waypoints" using gin ("searchTokens")`,

  `create table "reviews" (
    "id" bigint primary key,
    "bubblerId" bigint not null references "waypoints" ("id"),
    "userId" ${text} not null references "users" ("id"),
    "rating" smallint not null check ("rating" between 1 and 5),
    "comment" ${text} check ("comment" is null or "deletedAt" is null),
    "createdAt" ${text} not null,
    "updatedAt" ${text} not null,
    "deletedAt" ${text}
  )`,
  keepsIds('reviews'),
  ...neverDeleted('reviews', 'are never deleted, they become tombstones'),
  `create index "reviewsByWaypoint" on "reviews" ("bubblerId", "id") where "deletedAt" is null`,
  `create index "reviewsByUser" on "reviews" ("userId", "id") where "deletedAt" is null`,
  `create index "reviewsRemoved" on "reviews" ("userId", "id") where "deletedAt" is not null`,

  `create table "photos" (
    "id" bigint primary key,
    "bubblerId" bigint not null references "waypoints" ("id"),
    "userId" ${text} not null references "users" ("id"),
    "license" ${text} not null,
    "alt" ${text} check ("alt" is null or "deletedAt" is null),
    "takenAt" ${text},
    "createdAt" ${text} not null,
    "width" bigint not null check ("width" > 0),
    "height" bigint not null check ("height" > 0),
    "state" ${text} not null check ("state" in ('shown', 'waiting', 'hidden')),
    "sha256" ${text} not null,
    "mediumSha256" ${text} not null,
    "smallSha256" ${text} not null,
    "deletedAt" ${text},
    "credit" ${text}
  )`,
  keepsIds('photos'),
  ...neverDeleted('photos', 'are never deleted, they become tombstones'),
  `create index "photosByWaypoint" on "photos" ("bubblerId", "id")`,
  `create index "photosByUser" on "photos" ("userId", "id")`,
  `create index "photosWaiting" on "photos" ("id") where "state" = 'waiting' and "deletedAt" is null`,
  // Which photos a file belongs to.
  `create index "photosByFile" on "photos" ("sha256")`,
  `create index "photosByMediumFile" on "photos" ("mediumSha256")`,
  `create index "photosBySmallFile" on "photos" ("smallSha256")`,

  `create table "areas" (
    "id" bigint primary key,
    "name" ${text} not null,
    "description" ${text},
    "color" ${text} not null,
    "coordinates" ${text} not null,
    "properties" ${text} not null,
    "active" smallint not null check ("active" in (0, 1)),
    "createdAt" ${text} not null,
    "updatedAt" ${text} not null,
    "deletedAt" ${text}
  )`,
  keepsIds('areas'),
  ...neverDeleted('areas', 'are never deleted, they become tombstones'),

  // Records of a source. The values and the run that saw it belong to the importer and are not in the log.
  `create table "records" (
    "id" bigint primary key,
    "sourceId" bigint not null references "sources" ("id"),
    "ref" ${text},
    "waypointId" bigint not null references "waypoints" ("id"),
    "state" ${text},
    "checked" ${text},
    "updated" ${text},
    "since" ${text},
    "until" ${text},
    "tags" ${text} check ${isJson('tags', 'object')},
    "firstSeen" ${text} not null,
    "lastSeen" ${text} not null,
    "missingSince" ${text},
    "values" ${text} not null default '{}' check ${isJson('values', 'object')},
    "seenIn" bigint not null default 0,
    -- Checked at the end of a statement, which may give a reference from one record to another.
    constraint "recordsByRef" unique ("sourceId", "ref") deferrable
  )`,
  keepsIds('records'),
  ...neverDeleted('records', 'are never deleted, they are marked as missing'),
  `create index "recordsByWaypoint" on "records" ("waypointId", "sourceId")`,
  `create index "recordsByState" on "records" ("sourceId", "state") where "state" is not null`,

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
]

const observed = [
  // Observations. The observers are in a table of their own, and not in the log.
  `create table "observations" (
    "id" bigint primary key,
    "bubblerId" bigint not null references "waypoints" ("id"),
    "kind" ${text} not null,
    "observedAt" ${text} not null,
    "near" smallint not null check ("near" in (0, 1)),
    "observer" ${text} not null,
    "authority" ${text},
    "until" ${text},
    "comment" ${text} check ("comment" is null or "deletedAt" is null),
    "deletedAt" ${text}
  )`,
  keepsIds('observations'),
  ...neverDeleted('observations', 'are never deleted, they become tombstones'),
  `create index "observationsByWaypoint" on "observations" ("bubblerId", "id")`,
  `create table "observers" (
    "id" bigint primary key references "observations" ("id"),
    "userId" ${text} references "users" ("id"),
    "bubblerId" bigint not null references "waypoints" ("id"),
    "day" ${text} not null,
    "xp" bigint not null,
    "isOwed" smallint not null check ("isOwed" in (0, 1))
  )`,
  `create index "observersByUser" on "observers" ("userId", "bubblerId") where "userId" is not null`,
  `create index "observersByWaypoint" on "observers" ("bubblerId")`,
  `create index "observersOwed" on "observers" ("day", "id") where "isOwed" = 1`,
  // Sightings of passers-by, where observing is open to all; not in the log.
  `create table "sightings" (
    "id" ${text} primary key,
    "bubblerId" bigint not null references "waypoints" ("id"),
    "kind" ${text} not null,
    "observedAt" ${text} not null,
    "network" ${text},
    "day" ${text} not null
  )`,
  `create index "sightingsByWaypoint" on "sightings" ("bubblerId")`,
  `create index "sightingsByNetwork" on "sightings" ("network") where "network" is not null`,
  `create index "sightingsByDay" on "sightings" ("day")`,
  // The last computed state of each waypoint that may change by itself, with its facts; not in the log.
  `create table "statuses" (
    "id" bigint primary key references "waypoints" ("id"),
    "state" ${text} not null,
    "changesOn" ${text},
    "facts" ${text},
    "logSize" bigint not null
  )`,
  `create index "statusesByState" on "statuses" ("state", "id")`,
  `create index "statusesByChange" on "statuses" ("changesOn") where "changesOn" is not null`,
  `create index "statusesByLog" on "statuses" ("logSize")`,
]

const besideTheLog = [
  // Credentials; not in the log, and in no export. Numbers are public, and are not used again.
  `create table "secrets" (
    "number" bigint primary key,
    "id" ${text} not null unique,
    "kind" ${text} not null check (starts_with("id", "kind" || ':') and length("id") > length("kind") + 1),
    "userId" ${text} references "users" ("id"),
    "value" ${text} not null check ${isJson('value', 'object')},
    "createdAt" ${text} not null,
    "usedAt" ${text},
    "expiresAt" ${text},
    "endedAt" ${text}
  )`,
  `create index "secretsByKind" on "secrets" ("kind", "number")`,
  `create index "secretsOfUser" on "secrets" ("userId", "kind") where "userId" is not null`,
  `create index "secretsByEnd" on "secrets" ("expiresAt") where "expiresAt" is not null`,

  // Reports, and moderators' decisions about them; not in the log, and in no export. Numbers are not used again.
  `create table "reports" (
    "number" bigint primary key,
    "id" ${text} not null unique,
    "bubblerId" bigint references "waypoints" ("id"),
    "reviewId" bigint references "reviews" ("id"),
    "photoId" bigint references "photos" ("id"),
    "userId" ${text} references "users" ("id"),
    "by" ${text} references "users" ("id"),
    "network" ${text},
    "reason" ${text} not null,
    "comment" ${text},
    "state" ${text} not null check ("state" in ('open', 'done', 'dismissed')),
    "note" ${text},
    "createdAt" ${text} not null,
    "decidedAt" ${text} check (("decidedAt" is null) = ("state" = 'open')),
    "erasedAt" ${text},
    check (num_nonnulls("bubblerId", "reviewId", "photoId", "userId") = 1)
  )`,
  `create index "reportsOpen" on "reports" ("bubblerId", "reviewId", "photoId", "userId", "number") where "state" = 'open'`,
  `create index "reportsByPerson" on "reports" ("by", "state") where "by" is not null`,
  `create index "reportsByNetwork" on "reports" ("network") where "network" is not null`,
  `create index "reportsByDecision" on "reports" ("decidedAt") where "decidedAt" is not null`,
  // Which waypoints a moderator found not to be the same fountain; not in the log, and in no export.
  `create table "distinctions" (
    "number" bigint primary key,
    "id" ${text} not null unique,
    "smaller" bigint not null references "waypoints" ("id"),
    "greater" bigint not null references "waypoints" ("id"),
    "by" ${text} not null references "users" ("id"),
    "createdAt" ${text} not null,
    check ("smaller" < "greater")
  )`,
  // Rows of imports that a person decides; not in the log, and in no export.
  `create table "doubts" (
    "number" bigint primary key,
    "id" ${text} not null unique,
    "sourceId" bigint not null references "sources" ("id"),
    "ref" ${text} not null,
    "row" bigint not null,
    "values" ${text} not null check ${isJson('values', 'object')},
    "waypointId" bigint not null references "waypoints" ("id"),
    "metres" double precision not null,
    "score" double precision not null,
    "by" ${text} not null references "users" ("id"),
    "runId" bigint not null references "imports" ("id"),
    "seenIn" bigint not null,
    "goneIn" bigint,
    "createdAt" ${text} not null,
    "decision" ${text} check ("decision" in ('same', 'new', 'skip')),
    "decidedAt" ${text} check (("decidedAt" is null) = ("decision" is null)),
    "decidedBy" ${text} references "users" ("id"),
    "entry" bigint
  )`,
  `create index "doubtsOpen" on "doubts" ("number") where "decision" is null and "goneIn" is null`,
  `create index "doubtsOfSource" on "doubts" ("sourceId", "number")`,
  // The last numbers given: a sequence would skip those of writes that were rolled back.
  `create table "numbers" (
    "name" ${text} primary key,
    "last" bigint not null
  ) with (fillfactor = 50)`,
  `insert into "numbers" values ('secrets', 0), ('reports', 0), ('distinctions', 0), ('doubts', 0)`,
]

const counters = () => [
  `create table "state" (
    "id" smallint primary key check ("id" = 1),
    "origin" ${text} not null,
    -- Not in the log and in no export: what stands for a place cannot be guessed without it.
    "placeKey" ${text} not null,
    "revision" bigint not null,
    "lastWaypointId" bigint not null,
    "lastReviewId" bigint not null,
    "lastAreaId" bigint not null,
    "lastSourceId" bigint not null,
    "lastImportId" bigint not null,
    "indexedTo" bigint not null,
    "waypoints" bigint not null,
    "approvedWaypoints" bigint not null,
    "verifiedWaypoints" bigint not null,
    "users" bigint not null,
    "reviews" bigint not null,
    "reviewsPosted" bigint not null,
    "size" bigint not null,
    "actions" bigint not null,
    "actionCounts" ${text} not null check ${isJson('actionCounts', 'object')},
    "peaks" bytea not null,
    "headAt" ${text},
    "changedAt" ${text} not null
  ) with (fillfactor = 10)`,
  // The newest transaction of each writing process, which tells whether an unanswered commit was done.
  `create table "writers" (
    "id" ${text} primary key,
    "transaction" bigint not null,
    "at" timestamptz not null
  ) with (fillfactor = 50)`,
  `insert into "users" ("id", "name", "updatedAt", "isModerator", "xp", "waypointsCreated", "waypointsEdited",
    "reviewsPosted", "createdAt")
    values ('api', 'API', '1970-01-01T00:00:00.000Z', 0, 0, 0, 0, 0, '1970-01-01T00:00:00.000Z')`,
  // The author of observations: a user who is in no list.
  `insert into "users" ("id", "name", "updatedAt", "leftAt", "isModerator", "xp", "waypointsCreated", "waypointsEdited",
    "reviewsPosted", "createdAt")
    values ('observer', '', '1970-01-01T00:00:00.000Z', '1970-01-01T00:00:00.000Z', 0, 0, 0, 0, 0,
      '1970-01-01T00:00:00.000Z')`,
  `insert into "state" values (1, '${hex(16)}', '${hex(32)}', 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, '{}', '', null,
    '1970-01-01T00:00:00.000Z')`,
]

const hex = (bytes: number): string => randomBytes(bytes).toString('hex')
