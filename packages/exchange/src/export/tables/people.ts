import { userCounts, userFields } from '@openfountain/core/fields'
import type { ContributorRecord } from '../snapshot.ts'
import { columnsOf, tableFormats, type Column, type Table } from './table.ts'

const { createdAt: _since, ...standing } = userFields

const work: readonly Column<ContributorRecord>[] = columnsOf(userCounts, ({ stats }) => stats)

/** All accounts, without the private members of a profile. */
export const contributorTable: Table<ContributorRecord> = {
  name: 'contributors',
  title: 'Contributors',
  subject: 'registry',
  holds: 'Everybody with an account: name, points, level and what they did. Never an e-mail address.',
  rows: (edition) => edition.snapshot.contributors(),
  columns: [...columnsOf(userFields, (person: ContributorRecord) => person), ...work],
}

export const contributors = tableFormats(contributorTable)

/** The same people without the time of their account; both are in the order of the registry's leaderboard. */
export const leaderboard = tableFormats<ContributorRecord>({
  name: 'leaderboard',
  title: 'Leaderboard',
  subject: 'registry',
  holds:
    'The contributors by experience points, highest first; at equal points the oldest account first, then by id.',
  rows: (edition) => edition.snapshot.contributors(),
  countedIn: 'total',
  columns: [...columnsOf(standing, (person: ContributorRecord) => person), ...work],
})
