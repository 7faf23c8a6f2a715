import type { Reads } from '@openfountain/core/engine'
import { areaReads } from './areas.ts'
import { changeReads } from './changes.ts'
import { duplicateReads } from './duplicates.ts'
import { entryReads } from './entries.ts'
import { importReads } from './imports.ts'
import { moderationReads } from './moderation.ts'
import { nearestPlaces } from './nearest.ts'
import { observationReads } from './observations.ts'
import { reportReads } from './reports.ts'
import { reviewReads } from './reviews.ts'
import { search } from './search.ts'
import { secretReads } from './secrets.ts'
import { sourceReads } from './sources.ts'
import { stateReads } from './state.ts'
import { Statements, type Queries } from '../connection/statement.ts'
import { userReads } from './users.ts'
import { waypointReads } from './waypoints.ts'

/** Everything that a registry reads. Each answer is what the database has when it is asked: nothing is cached. */
export function readsOf(queries: Queries): Reads {
  const statements = new Statements(queries)
  const waypoints = waypointReads(statements)
  const changes = changeReads(statements)
  const sources = sourceReads(statements)
  return {
    waypoints: {
      ...waypoints,
      ...nearestPlaces(statements, waypoints),
      search: search(statements),
      sources: sources.ofWaypoint,
      origins: sources.origins,
      history: changes.history,
      historyText: changes.historyText,
    },
    entries: entryReads(statements),
    changes,
    users: userReads(statements),
    reviews: reviewReads(statements),
    observations: observationReads(statements),
    areas: areaReads(statements),
    sources,
    imports: importReads(statements),
    secrets: secretReads(statements),
    reports: reportReads(statements),
    moderation: { ...moderationReads(statements), duplicates: duplicateReads(statements) },
    state: stateReads(statements),
  }
}
