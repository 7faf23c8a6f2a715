import type Database from 'better-sqlite3'
import { attributionLine } from '@openfountain/core'
import { sourceFigures, sourceTerms } from '@openfountain/core/fields'
import { isWhole, type Edition } from '../edition.ts'
import type { Field } from '../fields.ts'
import { counted, type Format } from '../format.ts'
import type { ChangeRecord, SourceRecord } from '../snapshot.ts'
import { contributorTable, reviewTable } from '../tables/registry.ts'
import { columnsOf, type Column } from '../tables/table.ts'
import { waypointTable } from '../tables/waypoints.ts'
import { entryMembers } from '../text/changes.ts'
import { columnDefinitions, insertRows, insertValues, writeDatabase } from './sql-table.ts'

/** A plain database of the public columns. */
export const sqlite: Format = {
  name: 'sqlite',
  file: 'registry.sqlite',
  mediaType: 'application/vnd.sqlite3',
  title: 'SQLite database',
  subject: 'registry',
  isDaily: true,
  holds:
    'Tables waypoints, reviews, contributors, sources and changes with their documentation in the table ' +
    'fields; lists and objects as JSON text, flags as 0 and 1.',
  loses: 'Private columns and whatever only the running service needs; it is not a backup.',
  write: (path, edition, tally) =>
    // The log names waypoints that were removed, until all of it is there.
    writeDatabase(path, ['foreign_keys = OFF'], async (database) => {
      database.exec(
        'CREATE TABLE fields (table_name TEXT NOT NULL, name TEXT NOT NULL, type TEXT NOT NULL, unit TEXT, ' +
          'meaning TEXT NOT NULL, PRIMARY KEY (table_name, name)) STRICT',
      )
      await addTable(database, waypointTable, counted(waypointTable.rows(edition), tally))
      const references = isWhole(edition) ? [ofWaypoint] : []
      await addTable(database, reviewTable, reviewTable.rows(edition), references)
      await addTable(database, contributorTable, contributorTable.rows(edition))
      await addTable(database, { name: 'sources', columns: sourceColumns }, edition.sources)
      await addTable(database, { name: 'changes', columns: changeColumns }, edition.changes(), [ofWaypoint])
      database.exec(withoutRemoved)
      database.exec(indexes)
      addFacts(database, edition)
    }),
}

const ofWaypoint = 'FOREIGN KEY (waypoint_id) REFERENCES waypoints (id)'

/** The log goes on naming waypoints that were removed as its subjects. */
const withoutRemoved = `UPDATE changes SET waypoint_id = NULL
  WHERE waypoint_id IS NOT NULL AND waypoint_id NOT IN (SELECT id FROM waypoints)`

const indexes = `
CREATE INDEX waypoints_by_position ON waypoints (latitude, longitude);
CREATE INDEX reviews_by_waypoint ON reviews (waypoint_id);
CREATE INDEX changes_by_waypoint ON changes (waypoint_id);`

const sourceColumns = columnsOf({ ...sourceTerms, ...sourceFigures }, (source: SourceRecord) => source)

/** A column for a member of an entry, described as in the log except for the differences. */
const ofEntry = (
  name: keyof typeof entryMembers,
  other: Partial<Column<ChangeRecord>> = {},
): Column<ChangeRecord> => ({
  name,
  ...entryMembers[name],
  value: ({ [name]: value }) => value,
  ...other,
})

const changeColumns: readonly Column<ChangeRecord>[] = [
  ofEntry('id', { meaning: 'Number of the entry, ascending' }),
  ofEntry('subject'),
  ofEntry('subjectId', {
    name: 'subject_id',
    type: 'string',
    meaning: 'Its identifier',
    value: ({ subjectId }) => String(subjectId),
  }),
  ofEntry('subjectId', {
    name: 'waypoint_id',
    type: 'integer',
    required: false,
    meaning: 'The same where it is a waypoint of this file',
    value: ({ subject, subjectId }) => (subject === 'waypoint' ? subjectId : null),
  }),
  ofEntry('by', { name: 'user_id' }),
  ofEntry('action'),
  ofEntry('fields', { name: 'changes', meaning: 'Changed fields to new values, JSON text' }),
  ofEntry('at', { name: 'timestamp' }),
  ofEntry('seed', { meaning: 'Seed of all salts; empty once redacted' }),
  ofEntry('salts'),
  ofEntry('commitments'),
  ofEntry('awards', { type: 'object' }),
  ofEntry('links'),
  ofEntry('withheld'),
]

async function addTable<Row>(
  database: Database.Database,
  { name, columns }: { readonly name: string; readonly columns: readonly Column<Row>[] },
  rows: Iterable<Row>,
  references: readonly string[] = [],
): Promise<void> {
  const key = columns.some((column) => column.name === 'id') ? ['PRIMARY KEY (id)'] : []
  const definitions = [...columnDefinitions(columns, 'strict'), ...key, ...references]
  database.exec(`CREATE TABLE ${name} (${definitions.join(', ')}) STRICT`)
  const documentation = columns.map(({ name: column, type, unit, meaning }: Field) => [
    name,
    column,
    type,
    unit ?? null,
    meaning,
  ])
  insertValues(database, 'fields', documentation)
  await insertRows(database, name, columns, rows)
}

function addFacts(database: Database.Database, edition: Edition): void {
  const { publisher, license, snapshot, fictional, attributions } = edition
  database.exec('CREATE TABLE about (name TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL) STRICT')
  insertValues(database, 'about', [
    ['name', publisher.name],
    ['author', publisher.author],
    ['license', license],
    ['attribution', attributionLine(attributions)],
    ['revision', String(snapshot.revision)],
    ['data_time', snapshot.dataTime],
    ['log_id', String(snapshot.head.id)],
    ['log_hash', snapshot.head.hash],
    ...(fictional ? [['fictional', 'true']] : []),
  ])
}
