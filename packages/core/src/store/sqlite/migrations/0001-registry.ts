import { sql, type Kysely } from 'kysely'

/** The first schema of the registry. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const appendOnly = (table: string): string[] =>
  ['update', 'delete'].map(
    (verb) => `create trigger ${table}_refuses_${verb} before ${verb} on ${table}
      begin select raise(abort, '${table} is append-only'); end`,
  )

const statements = [
  `create table users (
    id text primary key,
    name text not null,
    email text collate nocase unique,
    isModerator integer not null default 0 check (isModerator in (0, 1)),
    xp integer not null default 0,
    waypointsCreated integer not null default 0,
    waypointsEdited integer not null default 0,
    reviewsPosted integer not null default 0,
    createdAt text not null,
    updatedAt text not null
  ) strict`,
  `create index usersByXp on users (xp desc, createdAt, id)`,

  `create table waypoints (
    id integer primary key,
    name text not null,
    latitude real not null check (latitude between -90 and 90),
    longitude real not null check (longitude between -180 and 180),
    description text,
    amenities text not null check (json_type(amenities) = 'array'),
    image text,
    maintainer text,
    region text,
    approved integer not null check (approved in (0, 1)),
    verified integer not null check (verified in (0, 1)),
    verifiedOnce integer not null check (verifiedOnce >= verified),
    addedByUserId text not null references users (id),
    createdAt text not null,
    updatedAt text not null,
    deletedAt text,
    foldedName text not null
  ) strict`,
  `create trigger waypoints_refuse_delete before delete on waypoints
    begin select raise(abort, 'waypoints are never deleted, they become tombstones'); end`,
  `create index waypointsByName on waypoints (foldedName, id) where deletedAt is null`,
  `create index waypointsByRegion on waypoints (region, id) where deletedAt is null and region is not null`,
  `create index waypointsByUpdate on waypoints (updatedAt, id)`,

  `create table reviews (
    id integer primary key,
    bubblerId integer not null references waypoints (id),
    userId text not null references users (id),
    rating integer not null check (rating between 1 and 5),
    comment text,
    createdAt text not null,
    updatedAt text not null,
    deletedAt text
  ) strict`,
  `create index reviewsByWaypoint on reviews (bubblerId, id) where deletedAt is null`,
  `create index reviewsByUser on reviews (userId, id) where deletedAt is null`,
  `create trigger reviews_refuse_delete before delete on reviews
    begin select raise(abort, 'reviews are never deleted, they become tombstones'); end`,

  `create table changes (
    id integer primary key,
    bubblerId integer not null references waypoints (id),
    userId text not null references users (id),
    action text not null check (action in
      ('created', 'edited', 'approved', 'verified', 'deleted', 'unapproved', 'unverified')),
    changes text not null check (json_type(changes) = 'object'),
    timestamp text not null,
    salt blob,
    digest blob not null check (length(digest) = 32),
    hash blob not null check (length(hash) = 32)
  ) strict`,
  `create index changesByWaypoint on changes (bubblerId, id)`,
  `create index changesByUser on changes (userId, id)`,
  `create trigger changes_refuse_delete before delete on changes
    begin select raise(abort, 'changes is append-only'); end`,
  // The only allowed change of an entry: removing its text, together with a recorded redaction; the chain stays valid.
  `create trigger changes_refuse_update before update on changes
    when not (
      new.id = old.id and new.bubblerId = old.bubblerId and new.userId = old.userId
      and new.action = old.action and new.timestamp = old.timestamp
      and new.digest = old.digest and new.hash = old.hash
      and new.salt is null
      and exists (select 1 from redactions where changeId = old.id)
      and not exists (
        select 1 from json_each(new.changes) n
        where not exists (
          select 1 from json_each(old.changes) o where o.key = n.key and o.type = n.type and o.value is n.value
        )
      )
    )
    begin select raise(abort, 'changes is append-only'); end`,

  `create table redactions (
    changeId integer primary key references changes (id),
    reason text not null,
    fields text not null check (json_type(fields) = 'array'),
    at text not null
  ) strict`,
  ...appendOnly('redactions'),

  `create table xpLedger (
    id integer primary key,
    userId text not null references users (id),
    event text not null check (event in ('createWaypoint', 'editWaypoint', 'postReview', 'waypointVerified', 'grant')),
    amount integer not null,
    waypointId integer references waypoints (id),
    reviewId integer references reviews (id),
    note text,
    at text not null
  ) strict`,
  `create index xpLedgerByUser on xpLedger (userId, id)`,
  `create unique index oneBonusPerWaypoint on xpLedger (waypointId) where event = 'waypointVerified'`,
  `create unique index oneAwardPerReview on xpLedger (reviewId) where event = 'postReview'`,
  ...appendOnly('xpLedger'),

  `create table sources (
    id integer primary key,
    name text not null unique,
    url text,
    license text not null,
    attribution text,
    createdAt text not null,
    updatedAt text not null
  ) strict`,
  `create table sourceRecords (
    id integer primary key,
    sourceId integer not null references sources (id),
    ref text,
    waypointId integer not null references waypoints (id),
    "values" text not null check (json_type("values") = 'object'),
    firstSeen text not null,
    lastSeen text not null,
    missingSince text
  ) strict`,
  `create unique index sourceRecordsByRef on sourceRecords (sourceId, ref) where ref is not null`,
  `create index sourceRecordsByWaypoint on sourceRecords (waypointId, sourceId)`,
  `create table imports (
    id integer primary key,
    sourceId integer not null references sources (id),
    fileName text,
    fileSha256 text,
    fileBytes integer,
    startedAt text not null,
    updatedAt text not null,
    finishedAt text,
    checkpoint text,
    counts text not null
  ) strict`,
  `create index importsBySource on imports (sourceId, id)`,

  `create table areas (
    id integer primary key,
    name text not null,
    description text,
    color text not null,
    coordinates text not null,
    properties text not null,
    active integer not null check (active in (0, 1)),
    createdAt text not null,
    updatedAt text not null,
    deletedAt text
  ) strict`,

  `create table sessions (
    id integer primary key,
    secretHash blob not null unique check (length(secretHash) = 32),
    userId text not null references users (id),
    createdAt text not null,
    expiresAt text not null,
    revokedAt text
  ) strict`,
  `create table tokens (
    id integer primary key,
    secretHash blob not null unique check (length(secretHash) = 32),
    name text not null,
    ownerId text references users (id),
    createdAt text not null,
    revokedAt text
  ) strict`,

  `create virtual table waypointPosition using rtree (id, west, east, south, north)`,
  `create virtual table waypointWords using fts5 (name, description, region, content = '', contentless_delete = 1,
    tokenize = "unicode61 remove_diacritics 0 categories 'L* N* Co Mn Mc Me'", prefix = '1 2 3')`,
  `create virtual table waypointNames using fts5 (name, content = '', contentless_delete = 1, detail = 'none',
    tokenize = 'trigram case_sensitive 1')`,
  `create table searchWords (word text primary key) strict, without rowid`,

  `create table state (
    id integer primary key check (id = 1),
    revision integer not null,
    lastWaypointId integer not null,
    lastReviewId integer not null,
    waypoints integer not null,
    verifiedWaypoints integer not null,
    users integer not null,
    reviews integer not null,
    reviewsPosted integer not null,
    headId integer not null,
    headHash blob not null check (length(headHash) = 32),
    headTimestamp text,
    changedAt text not null
  ) strict`,
  `insert into users (id, name, createdAt, updatedAt)
    values ('api', 'API', '1970-01-01T00:00:00.000Z', '1970-01-01T00:00:00.000Z')`,
  `insert into state values (1, 0, 0, 0, 0, 0, 0, 0, 0, 0, zeroblob(32), null, '1970-01-01T00:00:00.000Z')`,
]
