import { nounReads, readsWith, type Reads } from '@openfountain/core/engine'
import { Statements, type Queries } from '../connection/statement.ts'
import { search } from './search.ts'

/** Everything that a registry reads. Each answer is what the database has when it is asked: nothing is cached. */
export function readsOf(queries: Queries): Reads {
  const statements = new Statements(queries)
  return readsWith(statements.read(nounReads), search(statements), statements.rows)
}
