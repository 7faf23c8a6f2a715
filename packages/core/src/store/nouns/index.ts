import { areaReads } from './areas.ts'
import { changeReads } from './changes.ts'
import { entryReads } from './entries.ts'
import { importReads } from './imports.ts'
import { moderationReads } from './moderation.ts'
import { observationReads } from './observations.ts'
import { reportReads } from './reports.ts'
import { reviewReads } from './reviews.ts'
import { secretReads } from './secrets.ts'
import { sourceReads } from './sources.ts'
import { stateReads } from './state.ts'
import { userReads } from './users.ts'
import { waypointReads } from './waypoints.ts'

/** Reads that are the same in every engine. */
export const nounReads = {
  waypoints: waypointReads,
  entries: entryReads,
  changes: changeReads,
  users: userReads,
  reviews: reviewReads,
  observations: observationReads,
  areas: areaReads,
  sources: sourceReads,
  imports: importReads,
  secrets: secretReads,
  reports: reportReads,
  moderation: moderationReads,
  state: stateReads,
}
