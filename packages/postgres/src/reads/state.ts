import { lastWriteOf, statisticsOf, type DataVersion, type Statistics } from '@openfountain/core/engine'
import { build, type Statements } from '../connection/statement.ts'

/** Reads the counters of the registry. */
export function stateReads(statements: Statements) {
  const version = statements.prepare(() => build.selectFrom('state').select(['origin', 'revision']))
  const all = statements.prepare(() => build.selectFrom('state').selectAll())

  async function known<Row>(row: Promise<Row | undefined>): Promise<Row> {
    const found = await row
    if (found === undefined) throw new Error('the row of the table state is missing')
    return found
  }

  return {
    version: (): Promise<DataVersion> => known(version.get()),
    placeKey: async (): Promise<string> => (await known(all.get())).placeKey,
    changedAt: async (): Promise<string> => (await known(all.get())).changedAt,
    lastWrite: async (): Promise<string> => lastWriteOf(await known(all.get())),
    statistics: async (): Promise<Statistics> => statisticsOf(await known(all.get())),
  }
}
