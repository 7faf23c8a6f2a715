import type { Statistics } from '../../../schemas/statistics.ts'
import type { DataVersion } from '../../reads.ts'
import { lastWriteOf, statisticsOf } from '../../counters.ts'
import { build, type Statements } from '../connection/statement.ts'

/** Reads the counters of the registry on one connection. */
export function stateReads(statements: Statements) {
  const version = statements.prepare(() => build.selectFrom('state').select(['origin', 'revision']))
  const all = statements.prepare(() => build.selectFrom('state').selectAll())

  function state() {
    const row = all.get()
    if (row === undefined) throw new Error('the row of the table state is missing')
    return row
  }

  return {
    version(): DataVersion {
      const row = version.get()
      if (row === undefined) throw new Error('the row of the table state is missing')
      return row
    },
    placeKey: (): string => state().placeKey,
    changedAt: (): string => state().changedAt,
    lastWrite: (): string => lastWriteOf(state()),
    statistics: (): Statistics => statisticsOf(state()),
  }
}
