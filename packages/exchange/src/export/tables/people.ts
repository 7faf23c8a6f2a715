import type { ContributorRecord } from '../snapshot.ts'
import { tableFormats, type Column, type Table } from './table.ts'

const standing: readonly Column<ContributorRecord>[] = [
  {
    name: 'id',
    type: 'string',
    required: true,
    meaning: 'Identifier of the contributor',
    value: (person) => person.id,
  },
  {
    name: 'name',
    type: 'string',
    required: true,
    meaning: 'Display name, as chosen by the contributor',
    value: (person) => person.name,
  },
  {
    name: 'xp',
    type: 'integer',
    unit: 'experience points',
    required: true,
    meaning: 'Experience points earned',
    value: (person) => person.xp,
  },
  {
    name: 'level',
    type: 'integer',
    required: true,
    meaning: 'Level, derived from the experience points',
    value: (person) => person.level,
  },
]

const work: readonly Column<ContributorRecord>[] = [
  {
    name: 'waypoints_created',
    type: 'integer',
    required: true,
    meaning: 'Waypoints added',
    value: (person) => person.stats.waypointsCreated,
  },
  {
    name: 'waypoints_edited',
    type: 'integer',
    required: true,
    meaning: 'Edits that changed something',
    value: (person) => person.stats.waypointsEdited,
  },
  {
    name: 'reviews_posted',
    type: 'integer',
    required: true,
    meaning: 'Reviews written',
    value: (person) => person.stats.reviewsPosted,
  },
]

/** All accounts, without the private members of a profile. */
export const contributorTable: Table<ContributorRecord> = {
  name: 'contributors',
  title: 'Contributors',
  holds: 'Everybody with an account: name, points, level and what they did. Never an e-mail address.',
  rows: (edition) => edition.snapshot.contributors(),
  json: ({ id, name, xp, level, createdAt, stats }) => ({
    id,
    name,
    xp,
    level,
    createdAt,
    stats: figures(stats),
  }),
  columns: [
    ...standing,
    {
      name: 'created_at',
      type: 'datetime',
      required: true,
      meaning: 'When the account was made, UTC',
      value: (person) => person.createdAt,
    },
    ...work,
  ],
}

export const contributors = tableFormats(contributorTable)

/** The same people without the time of their account; both are in the order of the registry's leaderboard. */
export const leaderboard = tableFormats<ContributorRecord>({
  name: 'leaderboard',
  title: 'Leaderboard',
  holds:
    'The contributors by experience points, highest first; at equal points the oldest account first, then by id.',
  rows: (edition) => edition.snapshot.contributors(),
  json: ({ id, name, xp, level, stats }) => ({ id, name, xp, level, stats: figures(stats) }),
  summary: (total) => ({ total }),
  columns: [...standing, ...work],
})

const figures = ({ waypointsCreated, waypointsEdited, reviewsPosted }: ContributorRecord['stats']) => ({
  waypointsCreated,
  waypointsEdited,
  reviewsPosted,
})
