import type { ActKind } from '../schemas/moderation.ts'
import type { GivenEntry } from './entry.ts'
import { isRevertible, ruleOf } from './fold.ts'

/** As much of an entry as says which act of moderation it is. */
export type ActEntry = Pick<GivenEntry, 'subject' | 'subjectId' | 'action' | 'fields' | 'links'>

/** The kind of act of moderation; undefined for other entries, such as those of imports. */
export function actKindOf({ subject, action, fields, links }: ActEntry): ActKind | undefined {
  if (fields['via'] !== undefined) return undefined
  if (subject === 'entry') return 'redacted'
  if (isRevertible(subject)) {
    if (links.reverts !== undefined) return 'reverted'
    if (links.mergedInto !== undefined) return 'merged'
    if (links.restores !== undefined) return 'restored'
  }
  return ruleOf({ subject, action })?.isAct === true ? (action as ActKind) : undefined
}

/** The id of the entry that an act undid or redacted. */
export function entryUndoneBy(kind: ActKind, { subjectId, links }: ActEntry): number | undefined {
  if (kind === 'reverted') return links.reverts
  return kind === 'redacted' ? Number(subjectId) : undefined
}
