/**
 * Names for the other packages of openfountain that are not public. They may change with every version: import
 * `@openfountain/core` instead.
 */

// Imported first, so that it runs before the native module is loaded.
import './node-version.ts'
export { takeFrom, type Allowance, type Left, type Taken } from './allowance.ts'
export type { AccessChange } from './accounts/access-changes.ts'
export { reportedWith } from './security-events.ts'
export type { CurrentSession } from './accounts/sessions.ts'
export { PersonalTokenInput } from './accounts/tokens.ts'
export { WayName, type KeptPasskey, type ProvenWay } from './accounts/ways.ts'
export { tokenScopes, userIdOf, type TokenActor } from './actor.ts'
export { apiUserId, observerUserId } from './actor.ts'
export { attributionsOf, consenting, creditOf, openStreetMap } from './attribution.ts'
export { actorOf } from './decide/contributor.ts'
export type { Conflict } from './decide/import-merge.ts'
export type { RightsNotTaken } from './decide/tail-rights.ts'
export { redactableFields } from './decide/redaction.ts'
export type { Reverted, RevertConflict } from './decide/revert.ts'
export type { UndoneAct } from './decide/undo-act.ts'
export { invalid, invalidBecause, sentence } from './errors.ts'
export { actKindOf, entryUndoneBy } from './log/acts.ts'
export { canonicalJson } from './log/canonical-json.ts'
export { commitmentsOf, digestOf, leafData } from './log/commitments.ts'
export { actions, entryFields, subjectActions } from './log/entry.ts'
export { redactedName } from './log/fold.ts'
export { Frontier, isConsistent, isIncluded, leafHash } from './log/tree.ts'
export { notCovered } from './log/verification.ts'
export type { KnownRow } from './import/run.ts'
export type { MirroredPerson } from './mirror.ts'
export type { MirrorPreview } from './mirror-preview.ts'
export { fieldsInTags, recordTags, taggedFields, waypointTags } from './osm-tags.ts'
export { isLoopback } from './loopback.ts'
export { linkOrCopy } from './link-or-copy.ts'
export { readSealed, writeSealed } from './sealed.ts'
export { packageDigest } from './package-digest.ts'
export { boxAround, distanceMetres } from './places/geodesy.ts'
export { certain, doubtful, farthest, matchScore } from './places/match-score.ts'
export { describedName, isDescribed, kindLabel, nameSimilarity, withoutCoordinates } from './places/names.ts'
export { featureCollection, featureText } from './published/feature-collection.ts'
export { idsIn } from './published/ids.ts'
export { jsonInForm } from './published/json-form.ts'
export { jsonMembers, plain, text } from './published/json-members.ts'
export { countOrigins, mayHaveContributions, type OriginCounts } from './published/origins.ts'
export {
  otherTermsOf,
  sourceRefsOf,
  sourceTermsOf,
  type RowTerms,
  type SourceTerms,
} from './published/source-terms.ts'
export { osmTagsIn } from './published/osm-object.ts'
export { daysOf, type ListedDays } from './fields/source.ts'
export { Box, placeCodes, WaypointFilter } from './schemas/filter.ts'
export type { ActKind } from './schemas/moderation.ts'
export { parse, parseForeign, withoutUnknown } from './schemas/parse.ts'
export { showsNothing, withoutTurns } from './schemas/text.ts'
export { sourceStates } from './fields/source.ts'
export { seasonInTag } from './season.ts'
export type {
  CellForm,
  PageField,
  PagePiece,
  PageTemplate,
  RecordPage,
  RecordText,
  TextField,
  TextForm,
  TextPiece,
  TextTemplate,
} from './snapshot.ts'
export { hasPassword, isOnServer, shownDatabase } from './store/address.ts'
export { giveFolder } from './folder-owner.ts'
export { isErasureKnown } from './store/sqlite/connection/restore.ts'
export { createPrivate } from './store/sqlite/connection/private-file.ts'
export { holdFile, type HeldFile } from './store/sqlite/connection/held-file.ts'
export type { Page } from './users.ts'
