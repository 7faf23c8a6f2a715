import { entriesOfPeople, moderationEntries } from '../../kinds-of-entries.ts'

/** Refuses to replace a row, by a new one or by another one: REPLACE fires no trigger for the row that it deletes. */
const onlyOnce = (table: string): string[] => [
  `create trigger ${table}_refuse_replace before insert on ${table}
    when exists (select 1 from ${table} where id = new.id)
    begin select raise(abort, '${table} cannot be replaced'); end`,
  `create trigger ${table}_refuse_move before update of id on ${table} when new.id <> old.id
    begin select raise(abort, '${table} keep their ids'); end`,
]

/** Refuses that a record takes the reference of another one, which REPLACE would delete. */
const onlyOneWithRef = (event: 'insert' | 'update'): string =>
  `create trigger records_refuse_${event}_ref before ${event === 'insert' ? event : 'update of sourceId, ref'} on records
    when exists (select 1 from records where sourceId = new.sourceId and ref = new.ref and id <> new.id)
    begin select raise(abort, 'records cannot be replaced'); end`

const neverDeleted = (table: string, reason: string): string =>
  `create trigger ${table}_refuse_delete before delete on ${table}
    begin select raise(abort, '${table} ${reason}'); end`

/** The first schema of the registry. */
export const statements = (): readonly string[] => [
  // Names, addresses and who left are not in the log; all other columns are its fold.
  `create table users (
    id text primary key,
    name text not null default '',
    email text,
    updatedAt text not null default '',
    leftAt text check (leftAt is null or (name = '' and email is null)),
    isModerator integer not null check (isModerator in (0, 1)),
    xp integer not null,
    waypointsCreated integer not null,
    waypointsEdited integer not null,
    reviewsPosted integer not null,
    actions text not null default '{}' check (json_type(actions) = 'object'),
    blockReason text,
    blockUntil text check (blockUntil is null or blockReason is not null),
    keeps text check (keeps is null or json_type(keeps) = 'array'),
    createdAt text not null
  ) strict`,
  `create index usersByAge on users (createdAt, id) where leftAt is null`,

  `create table sources (
    id integer primary key,
    name text not null unique,
    url text,
    license text not null,
    attribution text,
    listedAt text,
    published text,
    createdAt text not null,
    updatedAt text not null,
    -- How many live waypoints it lists.
    waypoints integer not null default 0
  ) strict`,
  // updatedAt, checkpoint and counts are not in the log.
  `create table imports (
    id integer primary key,
    sourceId integer not null references sources (id),
    fileName text,
    fileSha256 text,
    fileBytes integer,
    startedAt text not null,
    finishedAt text,
    published text,
    updatedAt text not null default '',
    checkpoint text,
    counts text not null default '{}'
  ) strict`,
  `create index importsBySource on imports (sourceId, id)`,
  `create index importsByEnd on imports (sourceId, finishedAt) where published is not null`,

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
    openingHours text,
    season text,
    drinkable text,
    access text,
    properties text check (properties is null or json_type(properties) = 'object'),
    approved integer not null check (approved in (0, 1)),
    verified integer not null check (verified in (0, 1)),
    verifiedOnce integer not null check (verifiedOnce >= verified),
    isAttested integer not null check (isAttested in (0, 1)),
    addedByUserId text not null references users (id),
    createdAt text not null,
    updatedAt text not null,
    deletedAt text,
    -- Several waypoints are saved together, each as the last of its entries left it.
    mergedInto integer references waypoints (id) deferrable initially deferred,
    redactedFields text check (redactedFields is null or json_type(redactedFields) = 'array'),
    version integer not null,
    foldedName text not null,
    cell integer,
    -- The place around the position, derived from boundaries; not in the log.
    country text,
    subdivision text,
    placeName text,
    -- What a waypoint without a name is called.
    label text check ((label is null) = (name <> '')),
    -- How many entries the log had when the place was last assigned by itself.
    placedAfter integer
  ) strict`,
  ...onlyOnce('waypoints'),
  neverDeleted('waypoints', 'are never deleted, they become tombstones'),
  `create index waypointsByName on waypoints (foldedName, id) where deletedAt is null`,
  `create index waypointsByRegion on waypoints (coalesce(region, placeName), id)
    where deletedAt is null and coalesce(region, placeName) is not null`,
  `create index waypointsByCountry on waypoints (country, id) where deletedAt is null and country is not null`,
  `create index waypointsBySubdivision on waypoints (subdivision, id)
    where deletedAt is null and subdivision is not null`,
  `create index waypointsByPlacing on waypoints (placedAfter) where placedAfter is not null`,
  // The queue of moderators.
  `create index waypointsUnapproved on waypoints (id) where approved = 0 and deletedAt is null`,
  `create index waypointsUnverified on waypoints (id)
    where verified = 0 and deletedAt is null and addedByUserId <> 'api'`,
  `create index waypointsVerified on waypoints (id) where verified = 1 and deletedAt is null`,
  `create index waypointsRemoved on waypoints (addedByUserId, id) where deletedAt is not null`,
  `create index waypointsByAmenities on waypoints (amenities, id) where deletedAt is null`,
  `create index waypointsByCell on waypoints (cell) where cell is not null`,

  `create table reviews (
    id integer primary key,
    bubblerId integer not null references waypoints (id),
    userId text not null references users (id),
    rating integer not null check (rating between 1 and 5),
    comment text check (comment is null or deletedAt is null),
    createdAt text not null,
    updatedAt text not null,
    deletedAt text
  ) strict`,
  ...onlyOnce('reviews'),
  neverDeleted('reviews', 'are never deleted, they become tombstones'),
  `create index reviewsByWaypoint on reviews (bubblerId, id) where deletedAt is null`,
  `create index reviewsByUser on reviews (userId, id) where deletedAt is null`,
  `create index reviewsRemoved on reviews (userId, id) where deletedAt is not null`,

  `create table photos (
    id integer primary key,
    bubblerId integer not null references waypoints (id),
    userId text not null references users (id),
    license text not null,
    alt text check (alt is null or deletedAt is null),
    takenAt text,
    createdAt text not null,
    width integer not null check (width > 0),
    height integer not null check (height > 0),
    state text not null check (state in ('shown', 'waiting', 'hidden')),
    sha256 text not null,
    mediumSha256 text not null,
    smallSha256 text not null,
    deletedAt text,
    credit text
  ) strict`,
  ...onlyOnce('photos'),
  neverDeleted('photos', 'are never deleted, they become tombstones'),
  `create index photosByWaypoint on photos (bubblerId, id)`,
  `create index photosByUser on photos (userId, id)`,
  `create index photosWaiting on photos (id) where state = 'waiting' and deletedAt is null`,
  `create index photosByFile on photos (sha256)`,
  `create index photosByMediumFile on photos (mediumSha256)`,
  `create index photosBySmallFile on photos (smallSha256)`,

  // Observations. The observers are in a table of their own, and not in the log.
  `create table observations (
    id integer primary key,
    bubblerId integer not null references waypoints (id),
    kind text not null,
    observedAt text not null,
    near integer not null check (near in (0, 1)),
    observer text not null,
    authority text,
    until text,
    comment text check (comment is null or deletedAt is null),
    deletedAt text
  ) strict`,
  ...onlyOnce('observations'),
  neverDeleted('observations', 'are never deleted, they become tombstones'),
  `create index observationsByWaypoint on observations (bubblerId, id)`,
  `create table observers (
    id integer primary key references observations (id),
    userId text references users (id),
    bubblerId integer not null references waypoints (id),
    day text not null,
    xp integer not null,
    isOwed integer not null check (isOwed in (0, 1))
  ) strict`,
  `create index observersByUser on observers (userId, bubblerId) where userId is not null`,
  `create index observersByWaypoint on observers (bubblerId)`,
  `create index observersOwed on observers (day, id) where isOwed = 1`,
  // Sightings of passers-by, where observing is open to all; not in the log.
  `create table sightings (
    id text primary key,
    bubblerId integer not null references waypoints (id),
    kind text not null,
    observedAt text not null,
    network text,
    day text not null
  ) strict`,
  `create index sightingsByWaypoint on sightings (bubblerId)`,
  `create index sightingsByNetwork on sightings (network) where network is not null`,
  `create index sightingsByDay on sightings (day)`,
  // The last computed state of each waypoint that may change by itself, with its facts; not in the log.
  `create table statuses (
    id integer primary key references waypoints (id),
    state text not null,
    changesOn text,
    facts text,
    -- How many entries the log had before what changed it last.
    logSize integer not null
  ) strict`,
  `create index statusesByState on statuses (state, id)`,
  `create index statusesByChange on statuses (changesOn) where changesOn is not null`,
  `create index statusesByLog on statuses (logSize)`,

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
  ...onlyOnce('areas'),
  neverDeleted('areas', 'are never deleted, they become tombstones'),

  // Where a source is harvested, and what came of it; not in the log.
  `create table schedules (
    id integer primary key references sources (id),
    url text not null,
    every text not null,
    options text not null check (json_type(options) = 'object'),
    etag text,
    lastModified text,
    sha256 text,
    wholeAt text,
    checkedAt text,
    nextAt text,
    staleSince text,
    failures integer not null,
    lease text,
    leasedAt text check ((leasedAt is null) = (lease is null)),
    leaseUntil text check ((leaseUntil is null) = (lease is null))
  ) strict`,
  `create table harvests (
    id text primary key,
    sourceId integer not null references sources (id),
    startedAt text not null,
    endedAt text not null,
    outcome text not null,
    reason text check ((reason is null) = (outcome in ('imported', 'unchanged'))),
    status integer,
    read integer not null,
    added integer not null,
    changed integer not null,
    missing integer not null,
    refused integer not null,
    message text,
    location text
  ) strict`,
  `create index harvestsBySource on harvests (sourceId, startedAt)`,
  `create index harvestsByEnd on harvests (endedAt)`,

  // Programs that are told of events, and who tells them; not in the log, and in no export.
  `create table webhooks (
    id text primary key,
    url text not null,
    what text not null check (json_type(what) = 'object'),
    events text check (json_type(events) = 'array'),
    description text,
    generation integer not null,
    rotatedAt text,
    place integer not null,
    attempts integer not null,
    nextAt text,
    lastStatus integer,
    lastError text,
    kept text not null check (json_type(kept) = 'array'),
    disabledAt text,
    createdAt text not null
  ) strict`,
  `create table workers (
    id text primary key,
    origin text,
    lease text,
    leasedAt text check ((leasedAt is null) = (lease is null)),
    leaseUntil text check ((leaseUntil is null) = (lease is null))
  ) strict`,

  // Records of a source. The values and the run that saw it belong to the importer and are not in the log.
  `create table records (
    id integer primary key,
    sourceId integer not null references sources (id),
    ref text,
    waypointId integer not null references waypoints (id),
    state text,
    checked text,
    updated text,
    since text,
    until text,
    tags text check (tags is null or json_type(tags) = 'object'),
    firstSeen text not null,
    lastSeen text not null,
    missingSince text,
    "values" text not null default '{}' check (json_type("values") = 'object'),
    seenIn integer not null default 0
  ) strict`,
  ...onlyOnce('records'),
  neverDeleted('records', 'are never deleted, they are marked as missing'),
  `create unique index recordsByRef on records (sourceId, ref) where ref is not null`,
  onlyOneWithRef('insert'),
  onlyOneWithRef('update'),
  `create index recordsByWaypoint on records (waypointId, sourceId)`,
  `create index recordsByState on records (sourceId, state) where state is not null`,

  // A complete import of a source lists all its records, without an entry for each. The source's columns are looked up
  // record by record: as a join, the view would be read whole wherever it is joined to few rows.
  `create view listings as
    select r.id, r.sourceId, r.ref, r.waypointId, r.state, r.checked, r.updated, r.since, r.until, r.tags, r.firstSeen,
      coalesce(
        (select s.listedAt from sources s
          where s.id = r.sourceId and r.missingSince is null and s.listedAt > r.lastSeen),
        r.lastSeen) as lastSeen,
      r.missingSince,
      (select s.published from sources s
        where s.id = r.sourceId and r.missingSince is null and s.listedAt >= r.lastSeen) as published,
      -- The day as of which it lists it: that of the publication of what was imported when it was last said, if known.
      iif((select s.listedAt from sources s where s.id = r.sourceId and r.missingSince is null) >= r.lastSeen,
        (select s.published from sources s where s.id = r.sourceId),
        (select i.published from imports i
          where i.published is not null and i.sourceId = r.sourceId
            and r.lastSeen between i.startedAt and i.finishedAt
          order by i.finishedAt limit 1)) as listedOn
    from records r`,

  `create table entries (
    id integer primary key,
    at text not null,
    by text not null references users (id),
    subject text not null,
    subjectId any not null,
    action text not null,
    fields text not null check (json_type(fields) = 'object'),
    awards text check (awards is null or json_type(awards) = 'array'),
    links text check (links is null or json_type(links) = 'object'),
    seed blob check (seed is null or length(seed) = 16),
    leaf blob not null check (length(leaf) = 32),
    salts text,
    commitments text,
    check ((seed is null) = (commitments is not null) and (seed is null) = (salts is not null))
  ) strict`,
  `create index entriesOfWaypoint on entries (subjectId, id) where subject = 'waypoint'`,
  `create index entriesOfOthers on entries (subject, subjectId, id) where subject <> 'waypoint'`,
  `create index entriesByUser on entries (by, subject, action, id)`,
  `create index entriesByAction on entries (action, id) where subject = 'waypoint'`,
  // The first entry of each act of moderation, and recent changes by people without programs and imports.
  `create index entriesOfModeration on entries (id) where ${moderationEntries.sqlite}`,
  `create index entriesOfPeople on entries (id, by, links) where ${entriesOfPeople.sqlite}`,
  // Few entries lost fields, and a mirror asks for them each time it follows.
  `create index entriesWithLosses on entries (id) where seed is null`,
  ...onlyOnce('entries'),
  neverDeleted('entries', 'is append-only'),
  // The only allowed change of an entry: the loss of fields that a later entry redacts. The plus is for the index of
  // `subjectId`, which has no type of its own.
  `create trigger entries_refuse_update before update on entries
    when not (
      new.id = old.id and new.at = old.at and new.by = old.by and new.subject = old.subject
      and new.subjectId = old.subjectId and new.action = old.action and new.leaf = old.leaf
      and new.awards is old.awards and new.links is old.links and new.seed is null
      and exists (select 1 from entries where subject = 'entry' and subjectId = +old.id)
      and not exists (
        select 1 from json_each(new.fields) n
        where not exists (
          select 1 from json_each(old.fields) o where o.key = n.key and o.type = n.type and o.value is n.value
        )
      )
    )
    begin select raise(abort, 'entries is append-only'); end`,

  // Roots of full tiles of the tree. For tiles of 256 entries: the actions on waypoints in the log up to its end.
  `create table tiles (
    level integer not null,
    place integer not null,
    root blob not null check (length(root) = 32),
    actions integer,
    primary key (level, place)
  ) strict, without rowid`,
  `create index tilesByActions on tiles (actions) where level = 0`,

  // Credentials; not in the log, and in no export. Numbers are public, and are not used again.
  `create table secrets (
    number integer primary key autoincrement,
    id text not null unique,
    kind text not null check (id glob kind || ':?*'),
    userId text references users (id),
    value text not null check (json_type(value) = 'object'),
    createdAt text not null,
    usedAt text,
    expiresAt text,
    endedAt text
  ) strict`,
  `create index secretsByKind on secrets (kind, number)`,
  `create index secretsOfUser on secrets (userId, kind) where userId is not null`,
  `create index secretsByEnd on secrets (expiresAt) where expiresAt is not null`,

  // Reports, and moderators' decisions about them; not in the log, and in no export. Numbers are not used again.
  `create table reports (
    number integer primary key autoincrement,
    id text not null unique,
    bubblerId integer references waypoints (id),
    reviewId integer references reviews (id),
    photoId integer references photos (id),
    userId text references users (id),
    by text references users (id),
    network text,
    reason text not null,
    comment text,
    state text not null check (state in ('open', 'done', 'dismissed')),
    note text,
    createdAt text not null,
    decidedAt text check ((decidedAt is null) = (state = 'open')),
    erasedAt text,
    check ((bubblerId is not null) + (reviewId is not null) + (photoId is not null) + (userId is not null) = 1)
  ) strict`,
  `create index reportsOpen on reports (bubblerId, reviewId, photoId, userId, number) where state = 'open'`,
  `create index reportsByPerson on reports (by, state) where by is not null`,
  `create index reportsByNetwork on reports (network) where network is not null`,
  `create index reportsByDecision on reports (decidedAt) where decidedAt is not null`,
  // Which waypoints a moderator found not to be the same fountain; not in the log, and in no export.
  `create table distinctions (
    number integer primary key autoincrement,
    id text not null unique,
    smaller integer not null references waypoints (id),
    greater integer not null references waypoints (id),
    by text not null references users (id),
    createdAt text not null,
    check (smaller < greater)
  ) strict`,
  // Rows of imports that a person decides; not in the log, and in no export.
  `create table doubts (
    number integer primary key autoincrement,
    id text not null unique,
    sourceId integer not null references sources (id),
    ref text not null,
    row integer not null,
    "values" text not null check (json_type("values") = 'object'),
    waypointId integer not null references waypoints (id),
    metres real not null,
    score real not null,
    by text not null references users (id),
    runId integer not null references imports (id),
    seenIn integer not null,
    goneIn integer,
    createdAt text not null,
    decision text check (decision in ('same', 'new', 'skip')),
    decidedAt text check ((decidedAt is null) = (decision is null)),
    decidedBy text references users (id),
    entry integer
  ) strict`,
  `create index doubtsOpen on doubts (number) where decision is null and goneIn is null`,
  `create index doubtsOfSource on doubts (sourceId, number)`,

  `create virtual table waypointWords using fts5 (name, description, region, content = '', contentless_delete = 1,
    tokenize = "unicode61 remove_diacritics 0 categories 'L* N* Co Mn Mc Me'", prefix = '1 2 3')`,
  `create virtual table waypointNames using fts5 (name, content = '', contentless_delete = 1, detail = 'none',
    tokenize = 'trigram case_sensitive 1')`,
  `create table searchWords (word text primary key) strict, without rowid`,
  // Texts wait here to be indexed a few dozen at a time: FTS5 writes a segment for each transaction.
  `create table searchBacklog (
    waypointId integer primary key references waypoints (id),
    indexed integer not null check (indexed in (0, 1))
  ) strict`,

  `create table state (
    id integer primary key check (id = 1),
    origin text not null,
    -- Not in the log and in no export: what stands for a place cannot be guessed without it.
    placeKey text not null,
    revision integer not null,
    lastWaypointId integer not null,
    lastReviewId integer not null,
    lastAreaId integer not null,
    lastSourceId integer not null,
    lastImportId integer not null,
    indexedTo integer not null,
    waypoints integer not null,
    approvedWaypoints integer not null,
    verifiedWaypoints integer not null,
    users integer not null,
    reviews integer not null,
    reviewsPosted integer not null,
    size integer not null,
    actions integer not null,
    actionCounts text not null check (json_type(actionCounts) = 'object'),
    peaks blob not null,
    headAt text,
    changedAt text not null
  ) strict`,
  `insert into users (id, name, updatedAt, isModerator, xp, waypointsCreated, waypointsEdited, reviewsPosted, createdAt)
    values ('api', 'API', '1970-01-01T00:00:00.000Z', 0, 0, 0, 0, 0, '1970-01-01T00:00:00.000Z')`,
  // The author of observations: a user who is in no list.
  `insert into users (id, name, updatedAt, leftAt, isModerator, xp, waypointsCreated, waypointsEdited, reviewsPosted, createdAt)
    values ('observer', '', '1970-01-01T00:00:00.000Z', '1970-01-01T00:00:00.000Z', 0, 0, 0, 0, 0, '1970-01-01T00:00:00.000Z')`,
  `insert into state values (1, lower(hex(randomblob(16))), lower(hex(randomblob(32))), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, '{}', x'', null,
    '1970-01-01T00:00:00.000Z')`,
]
