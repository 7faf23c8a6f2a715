/** How a column is stored, in every engine; `subject` is a text for entries about users and a number for all others. */
export type Kind = 'integer' | 'real' | 'text' | 'bytes' | 'subject'

export interface CopiedColumn {
  readonly name: string
  readonly kind: Kind
}

/** A table whose rows are the same in every engine. */
export interface CopiedTable {
  readonly name: string
  readonly columns: readonly CopiedColumn[]
  /** The columns by which rows are ordered; they are the first ones. */
  readonly key: readonly string[]
  /** Whether exports, sites and verification do without it: it is about accounts, or for moderators alone. */
  readonly isPrivate?: boolean
}

const columnsOf = (names: string): CopiedColumn[] =>
  names
    .trim()
    .split(/\s+/)
    .map((each) => {
      const [name = '', kind = 'text'] = each.split(':')
      return { name, kind: kind as Kind }
    })

/** @param columns names, each with `:` and its kind unless it is text */
function table(
  name: string,
  columns: string,
  more: { readonly key?: readonly string[]; readonly isPrivate?: boolean } = {},
): CopiedTable {
  const all = columnsOf(columns)
  return { name, columns: all, key: all.slice(0, 1).map((column) => column.name), ...more }
}

/**
 * What a registry consists of, each table after those that it refers to. The indexes of search are not among it: every
 * engine makes its own.
 */
export const copiedTables: readonly CopiedTable[] = [
  table(
    'users',
    `id name email updatedAt leftAt isModerator:integer xp:integer waypointsCreated:integer waypointsEdited:integer
    reviewsPosted:integer actions blockReason blockUntil createdAt`,
  ),
  table(
    'sources',
    'id:integer name url license attribution listedAt published createdAt updatedAt waypoints:integer',
  ),
  table(
    'imports',
    `id:integer sourceId:integer fileName fileSha256 fileBytes:integer startedAt finishedAt published updatedAt checkpoint counts`,
  ),
  table(
    'waypoints',
    `id:integer name latitude:real longitude:real description amenities image maintainer region openingHours season
    drinkable properties approved:integer verified:integer verifiedOnce:integer addedByUserId createdAt updatedAt deletedAt
    mergedInto:integer redactedFields version:integer foldedName cell:integer country subdivision placeName
    placedAfter:integer`,
  ),
  table(
    'reviews',
    'id:integer bubblerId:integer userId rating:integer comment createdAt updatedAt deletedAt',
  ),
  table(
    'observations',
    'id:integer bubblerId:integer kind observedAt near:integer observer authority comment deletedAt',
  ),
  table('observers', 'id:integer userId bubblerId:integer day xp:integer isOwed:integer', {
    isPrivate: true,
  }),
  table('sightings', 'id bubblerId:integer kind observedAt network day'),
  table('statuses', 'id:integer state changesOn facts logSize:integer'),
  table(
    'areas',
    'id:integer name description color coordinates properties active:integer createdAt updatedAt deletedAt',
  ),
  table(
    'records',
    `id:integer sourceId:integer ref waypointId:integer state checked updated since until tags firstSeen lastSeen missingSince values seenIn:integer`,
  ),
  table(
    'entries',
    `id:integer at by subject subjectId:subject action fields awards links seed:bytes leaf:bytes salts commitments`,
  ),
  table('tiles', 'level:integer place:integer root:bytes actions:integer', { key: ['level', 'place'] }),
  table('secrets', 'number:integer id kind userId value createdAt usedAt expiresAt endedAt', {
    isPrivate: true,
  }),
  table(
    'reports',
    `number:integer id bubblerId:integer reviewId:integer userId by network reason comment state note createdAt
    decidedAt erasedAt`,
    { isPrivate: true },
  ),
  table('distinctions', 'number:integer id smaller:integer greater:integer by createdAt', {
    isPrivate: true,
  }),
  // The numbers that were given last, which rows that are gone may have had.
  table('numbers', 'name last:integer', { isPrivate: true }),
  // Last, since a copy without it is none. How far the index of search goes is each engine's own.
  table(
    'state',
    `id:integer origin placeKey revision:integer lastWaypointId:integer lastReviewId:integer lastAreaId:integer
    lastSourceId:integer lastImportId:integer waypoints:integer approvedWaypoints:integer verifiedWaypoints:integer
    users:integer reviews:integer reviewsPosted:integer size:integer actions:integer actionCounts peaks:bytes headAt
    changedAt`,
  ),
]
