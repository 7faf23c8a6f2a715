import type { SearchQuery, FoundWaypoint } from '../schemas/waypoint.ts'
import type { StoredSecret, SecretKind } from '../secrets.ts'
import type { SecretValidity } from './answers.ts'
import { duplicatesBy } from './nouns/duplicates.ts'
import type { Answered, MaybePromise, RowsPromised } from './sql/query.ts'
import { areaReads } from './nouns/areas.ts'
import { changeReads } from './nouns/changes.ts'
import { doubtReads } from './nouns/doubts.ts'
import { entryReads } from './nouns/entries.ts'
import { importReads } from './nouns/imports.ts'
import { moderationReads } from './nouns/moderation.ts'
import { observationReads } from './nouns/observations.ts'
import { photoReads } from './nouns/photos.ts'
import { reportReads } from './nouns/reports.ts'
import { reviewReads } from './nouns/reviews.ts'
import { secretReads } from './nouns/secrets.ts'
import { sourceReads } from './nouns/sources.ts'
import { stateReads } from './counters.ts'
import { userReads } from './nouns/users.ts'
import { waypointEventReads } from './nouns/waypoint-events.ts'
import { webhookReads } from './nouns/webhooks.ts'
import { waypointReads } from './nouns/waypoints.ts'

interface SecretReading {
  /** One that nobody ended, expired or not. */
  standing(id: string): MaybePromise<SecretValidity | undefined>
  get<Kind extends SecretKind>(kind: Kind, id: string): MaybePromise<StoredSecret<Kind> | undefined>
  byNumber<Kind extends SecretKind>(kind: Kind, number: number): MaybePromise<StoredSecret<Kind> | undefined>
  page<Kind extends SecretKind>(kind: Kind, after: number, limit: number): MaybePromise<StoredSecret<Kind>[]>
  list<Kind extends SecretKind>(kind: Kind, userId?: string): MaybePromise<StoredSecret<Kind>[]>
}

type Nouns = Answered<typeof nounReads>

export interface Reads extends Omit<Nouns, 'waypoints' | 'secrets' | 'moderation'> {
  readonly waypoints: Nouns['waypoints'] & {
    search(query: SearchQuery): MaybePromise<FoundWaypoint[]>
  }
  readonly secrets: SecretReading
  readonly moderation: Nouns['moderation'] & {
    duplicates: ReturnType<typeof duplicatesBy>
  }
}

export const readsWith = (
  { search, ...nouns }: Nouns & Pick<Reads['waypoints'], 'search'>,
  rows: RowsPromised,
): Reads => ({
  ...nouns,
  // Their type follows from the kind that is asked for.
  secrets: nouns.secrets as SecretReading,
  waypoints: { ...nouns.waypoints, search },
  moderation: { ...nouns.moderation, duplicates: duplicatesBy(rows) },
})

export const nounReads = {
  waypoints: waypointReads,
  entries: entryReads,
  changes: changeReads,
  users: userReads,
  reviews: reviewReads,
  observations: observationReads,
  photos: photoReads,
  areas: areaReads,
  sources: sourceReads,
  imports: importReads,
  secrets: secretReads,
  reports: reportReads,
  doubts: doubtReads,
  moderation: moderationReads,
  waypointEvents: waypointEventReads,
  webhooks: webhookReads,
  state: stateReads,
}
