import Database from 'better-sqlite3'
import type { Fountain } from './fountains.ts'

type BareRow = Omit<Fountain, 'ref'>

/** The yardstick for writes: better-sqlite3 alone, with one table of a waypoint's fields. */
export class BareTable {
  readonly #database: Database.Database
  readonly #insert: Database.Statement<(string | number | null)[]>
  readonly #one: (row: BareRow) => void
  readonly #many: (rows: readonly BareRow[]) => void

  /** The durability of a registry opened with `durability: 'relaxed'`. */
  constructor(file: string) {
    this.#database = new Database(file)
    this.#database.pragma('journal_mode = wal')
    this.#database.pragma('synchronous = normal')
    this.#database.pragma('cache_size = -32768')
    this.#database
      .exec(`create table if not exists waypoints (id integer primary key, name text not null, latitude real not null,
      longitude real not null, description text, amenities text not null, image text, maintainer text, region text,
      approved integer not null, verified integer not null, addedByUserId text not null, createdAt text not null,
      updatedAt text not null) strict`)
    this.#insert = this.#database.prepare(
      'insert into waypoints values (null, ?, ?, ?, ?, ?, null, ?, ?, 0, 0, ?, ?, ?)',
    )
    this.#one = this.#database.transaction((row: BareRow) => this.#put(row)).immediate
    this.#many = this.#database.transaction((rows: readonly BareRow[]) => {
      for (const row of rows) this.#put(row)
    }).immediate
  }

  #put({ name, latitude, longitude, description, amenities, maintainer, region }: BareRow): void {
    const at = '2026-01-01T00:00:00.000Z'
    const kinds = JSON.stringify(amenities)
    this.#insert.run(
      name,
      latitude,
      longitude,
      description ?? null,
      kinds,
      maintainer ?? null,
      region,
      'api',
      at,
      at,
    )
  }

  /** Inserts one row in one immediate transaction. */
  insert(row: BareRow): void {
    this.#one(row)
  }

  /** Inserts rows in one transaction. */
  insertAll(rows: readonly BareRow[]): void {
    this.#many(rows)
  }

  [Symbol.dispose](): void {
    this.#database.close()
  }
}
