import Database from 'better-sqlite3'
import { attributionLine } from '@openfountain/core'
import { sourceFigures, sourceTerms } from '@openfountain/core/fields'
import { waypointColumns } from '@openfountain/core/internal'
import type { Edition } from '../edition.ts'
import { waypointFields, type Field, type FieldType } from '../fields.ts'
import type { Format, Tally } from '../format.ts'
import { contributorTable } from '../tables/people.ts'
import { reviewTable } from '../tables/reviews.ts'
import { isWhole } from '../edition.ts'
import { everyAction, subjects } from '../text/changes.ts'
import { columnDefinitions, insertion, sqlValue, type SqlValue } from './sql-table.ts'
import type { SourceRecord } from '../snapshot.ts'
import { columnsOf, type Table } from '../tables/table.ts'

const types: Readonly<Record<FieldType, string>> = {
  integer: 'INTEGER',
  number: 'REAL',
  string: 'TEXT',
  boolean: 'INTEGER',
  date: 'TEXT',
  datetime: 'TEXT',
  list: 'TEXT',
  object: 'TEXT',
  any: 'TEXT',
}

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
  write: async (path, edition, tally) => {
    const database = new Database(path)
    try {
      // The file is discarded when anything fails, so a journal would protect nothing.
      database.pragma('journal_mode = OFF')
      database.pragma('synchronous = OFF')
      // Rows are written in the order of the table: few pages are read again.
      database.pragma('cache_size = -8192')
      // The log names waypoints that were removed, until all of it is there.
      database.pragma('foreign_keys = OFF')
      database.exec('BEGIN')
      describeFields(database)
      await fill(database, waypoints(edition, tally))
      await fill(database, tableOf(reviewTable, edition), isWhole(edition) ? [ofWaypoint] : [])
      await fill(database, tableOf(contributorTable, edition))
      await fill(database, sources(edition))
      await fill(database, changes(edition), [ofWaypoint])
      database.exec(withoutRemoved)
      database.exec(indexes)
      about(database, edition)
      database.exec('COMMIT')
    } finally {
      database.close()
    }
  },
}

interface FilledTable {
  readonly name: string
  readonly fields: readonly Field[]
  readonly rows: Iterable<SqlValue[]>
}

/** Rows between two turns of the event loop. */
const batch = 2000

/** A table about waypoints refers to them. */
const ofWaypoint = 'FOREIGN KEY (waypoint_id) REFERENCES waypoints (id)'

/** The log goes on naming waypoints that were removed as its subjects. */
const withoutRemoved = `UPDATE changes SET waypoint_id = NULL
  WHERE waypoint_id IS NOT NULL AND waypoint_id NOT IN (SELECT id FROM waypoints)`

async function fill(
  database: Database.Database,
  { name, fields, rows }: FilledTable,
  references: readonly string[] = [],
): Promise<void> {
  const definitions = columnDefinitions(fields, types)
  const key = fields.some((field) => field.name === 'id') ? ['PRIMARY KEY (id)'] : []
  database.exec(`CREATE TABLE ${name} (${[...definitions, ...key, ...references].join(', ')}) STRICT`)
  const document = insertion(database, 'fields', ['table_name', 'name', 'type', 'unit', 'meaning'])
  for (const field of fields) document([name, field.name, field.type, field.unit ?? null, field.meaning])
  const insert = insertion(
    database,
    name,
    fields.map((field) => field.name),
  )
  let count = 0
  for (const row of rows) {
    insert(row)
    count += 1
    if (count % batch === 0) await new Promise(setImmediate)
  }
}

function waypoints(edition: Edition, tally: Tally): FilledTable {
  function* rows(): Iterable<SqlValue[]> {
    for (const record of edition.waypoints()) {
      tally.rows += 1
      const terms = edition.terms(record)
      yield waypointColumns.map(([, valueOf]) => sqlValue(valueOf(record, terms)))
    }
  }
  return { name: 'waypoints', fields: waypointFields, rows: rows() }
}

function tableOf<Row>(table: Table<Row>, edition: Edition): FilledTable {
  function* rows(): Iterable<SqlValue[]> {
    for (const row of table.rows(edition)) yield table.columns.map((column) => sqlValue(column.value(row)))
  }
  return { name: table.name, fields: table.columns, rows: rows() }
}

const sourceColumns = { ...sourceTerms, ...sourceFigures }

function sources({ sources }: Edition): FilledTable {
  const columns = columnsOf(sourceColumns, (source: SourceRecord) => source)
  const rows = sources.map((source) => columns.map((column) => sqlValue(column.value(source))))
  return { name: 'sources', fields: columns, rows }
}

function changes(edition: Edition): FilledTable {
  const fields: readonly Field[] = [
    { name: 'id', type: 'integer', required: true, meaning: 'Number of the entry, ascending' },
    {
      name: 'subject',
      type: 'string',
      required: true,
      meaning: 'What was changed',
      values: subjects,
    },
    { name: 'subject_id', type: 'string', required: true, meaning: 'Its identifier' },
    {
      name: 'waypoint_id',
      type: 'integer',
      required: false,
      meaning: 'The same where it is a waypoint of this file',
    },
    {
      name: 'user_id',
      type: 'string',
      required: true,
      meaning: 'Who did it; `api` for programs and imports',
    },
    { name: 'action', type: 'string', required: true, meaning: 'What was done', values: everyAction },
    { name: 'changes', type: 'object', required: true, meaning: 'Changed fields to new values, JSON text' },
    { name: 'timestamp', type: 'datetime', required: true, meaning: 'When, UTC' },
    { name: 'seed', type: 'string', required: false, meaning: 'Seed of all salts; empty once redacted' },
    { name: 'salts', type: 'object', required: false, meaning: 'Salts of the fields that are left' },
    { name: 'commitments', type: 'object', required: false, meaning: 'Commitments of the missing fields' },
    { name: 'awards', type: 'object', required: true, meaning: 'XP: lists of user, event and amount' },
    { name: 'links', type: 'object', required: true, meaning: 'Ids of entries and waypoints it refers to' },
    { name: 'withheld', type: 'string', required: false, meaning: 'Why this export has no fields of it' },
  ]
  function* rows(): Iterable<SqlValue[]> {
    for (const entry of edition.changes()) {
      const { id, subject, subjectId, by, action, at, seed, salts, commitments, awards, links, withheld } =
        entry
      const subjects = [subject, String(subjectId), subject === 'waypoint' ? subjectId : null]
      const proof = [seed, salts, commitments, awards, links, withheld]
      yield [id, ...subjects, by, action, entry.fields, at, ...proof].map(sqlValue)
    }
  }
  return { name: 'changes', fields, rows: rows() }
}

function describeFields(database: Database.Database): void {
  database.exec(
    'CREATE TABLE fields (table_name TEXT NOT NULL, name TEXT NOT NULL, type TEXT NOT NULL, unit TEXT, ' +
      'meaning TEXT NOT NULL, PRIMARY KEY (table_name, name)) STRICT',
  )
}

function about(database: Database.Database, edition: Edition): void {
  const { publisher, license, snapshot, fictional, attributions } = edition
  database.exec('CREATE TABLE about (name TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL) STRICT')
  const insert = insertion(database, 'about', ['name', 'value'])
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['name', publisher.name],
    ['author', publisher.author],
    ['license', license],
    ['attribution', attributionLine(attributions)],
    ['revision', String(snapshot.revision)],
    ['data_time', snapshot.dataTime],
    ['log_id', String(snapshot.head.id)],
    ['log_hash', snapshot.head.hash],
    ['fictional', fictional ? 'true' : undefined],
  ]
  for (const [name, value] of facts) if (value !== undefined) insert([name, value])
}

const indexes = `
CREATE INDEX waypoints_by_position ON waypoints (latitude, longitude);
CREATE INDEX reviews_by_waypoint ON reviews (waypoint_id);
CREATE INDEX changes_by_waypoint ON changes (waypoint_id);`
