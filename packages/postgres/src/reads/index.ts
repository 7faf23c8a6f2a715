import { nounReads, type Reads, type SecretReading } from '@openfountain/core/engine'
import { duplicateReads } from './duplicates.ts'
import { search } from './search.ts'
import { sourceReads } from './sources.ts'
import { Statements, type Queries } from '../connection/statement.ts'

/** Everything that a registry reads. Each answer is what the database has when it is asked: nothing is cached. */
export function readsOf(queries: Queries): Reads {
  const statements = new Statements(queries)
  const nouns = statements.read(nounReads)
  const sources = sourceReads(statements)
  return {
    ...nouns,
    // Their type follows from the kind that is asked for.
    secrets: nouns.secrets as SecretReading,
    waypoints: {
      ...nouns.waypoints,
      search: search(statements),
      sources: sources.ofWaypoint,
      origins: sources.origins,
    },
    sources,
    moderation: { ...nouns.moderation, duplicates: duplicateReads(statements) },
  }
}
