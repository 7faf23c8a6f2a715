import type Database from 'better-sqlite3'
import { epoch } from '../../schema-version.ts'
import { migrations } from '../migrations/index.ts'

/** The application id of a registry's SQLite file: `ofnt` in ASCII (https://www.sqlite.org/pragma.html#pragma_application_id). */
export const applicationId = 0x6f666e74
export const latest = epoch + migrations.length

/** Brings the schema to a version, each migration in one transaction; several processes may do so at once. */
export function migrate(
  database: Database.Database,
  to = latest,
  onStep: (done: number, total: number) => void = () => {},
): void {
  const version = (): number => Math.max(epoch, Number(database.pragma('user_version', { simple: true })))
  const step = database.transaction(() => {
    const isNew = version() === epoch
    for (let next = version() + 1; next <= to; next++) {
      for (const statement of migrations[next - epoch - 1]?.() ?? []) database.exec(statement)
      database.pragma(`user_version = ${next}`)
      if (!isNew) break
    }
    database.pragma(`application_id = ${applicationId}`)
  })
  const from = version()
  while (version() < to) {
    step.immediate()
    onStep(version() - from, to - from)
  }
}
