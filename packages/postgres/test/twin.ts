import Database from 'better-sqlite3'
import { openSqlite } from '../../core/src/store/sqlite/store.ts'
import type { Reads } from '@openfountain/core/engine'
import { migrate } from '../src/connection/migrating.ts'
import { Sessions } from '../src/connection/sessions.ts'
import { settingsOf } from '../src/connection/settings.ts'
import type { Value } from '../src/connection/statement.ts'
import { readsOf } from '../src/reads/index.ts'
import { searchColumns } from '../src/search/columns.ts'
import { tables } from '../src/tables.ts'

type Row = Record<string, Value>

/** The columns of a row that only PostgreSQL has. */
function ownColumns(table: string, row: Row): Row {
  if (table === 'entries') return { subjectId: String(row['subjectId']) }
  if (table !== 'waypoints' || row['deletedAt'] !== null) return {}
  const { foldedName, description, region, amenities } = row as Record<string, string>
  return searchColumns({
    foldedName: foldedName ?? '',
    description,
    region,
    amenities: JSON.parse(amenities ?? '[]') as string[],
    approved: row['approved'] === 1,
    verified: row['verified'] === 1,
  })
}

/** Rows that are inserted together. */
const together = 200

/** Copies the rows of a SQLite registry into an empty database of PostgreSQL. */
async function copyInto(sessions: Sessions, file: string): Promise<void> {
  const from = new Database(file, { readonly: true })
  const to = await sessions.open('long')
  try {
    await migrate(to, {})
    await to.command('begin; delete from state; delete from users')
    for (const [table, columns] of Object.entries(tables)) {
      const names = Object.keys(columns)
      const rows = from.prepare<[], Row>(`select * from ${table}`).all()
      for (let start = 0; start < rows.length; start += together) {
        const some = rows.slice(start, start + together).map((row) => ({ ...row, ...ownColumns(table, row) }))
        const places = some.map(
          (_row, at) => `(${names.map((_name, index) => `$${at * names.length + index + 1}`).join(', ')})`,
        )
        await to.query(
          `insert into "${table}" (${names.map((name) => `"${name}"`).join(', ')}) values ${places.join(', ')}`,
          some.flatMap((row: Row) => names.map((name) => row[name] ?? null)),
          { forValues: true },
        )
      }
    }
    await to.command('commit; analyze')
  } finally {
    from.close()
    await to.close()
  }
}

/** What a SQLite registry says, and what PostgreSQL says of the same rows. */
export async function readingTwins(
  file: string,
  url: string,
  work: (sqlite: Reads, postgres: Reads) => Promise<void>,
): Promise<void> {
  const sessions = new Sessions(settingsOf(url))
  const store = await openSqlite(file, { clock: () => new Date() })
  try {
    await copyInto(sessions, file)
    await work(store.read, readsOf(sessions))
  } finally {
    await store.close()
    await sessions.close()
  }
}
