import { z } from 'zod'
import { areaFields, areaTexts } from '../fields/area.ts'
import { observationFields, observationTexts } from '../fields/observation.ts'
import { photoFields, photoTexts } from '../fields/photo.ts'
import { reviewFields, reviewTexts } from '../fields/review.ts'
import type { listedDays } from '../fields/source.ts'
import type { UserCount } from '../fields/user.ts'
import { redactableFields as waypointTexts } from '../fields/waypoint.ts'
import { limits } from '../rules.ts'
import { BoundingBoxInput } from '../schemas/area.ts'
import { clearableInputs, optionalInputs, Properties } from '../schemas/described.ts'
import type { ActKind } from '../schemas/moderation.ts'
import { Observation } from '../schemas/observation.ts'
import { ReviewInput } from '../schemas/review.ts'
import { SourceInput, SourceState, Tags } from '../schemas/source.ts'
import { Instant, Reason, text } from '../schemas/text.ts'
import type { Kept } from '../schemas/user.ts'
import { WaypointInput, WaypointPatch } from '../schemas/waypoint.ts'
import {
  entryFields,
  provisional,
  type Action,
  type Draft,
  type Entry,
  type StoredEntry,
  type Subject,
  type SubjectActions,
  type GivenEntry,
} from './entry.ts'
import { redact } from './leaf.ts'
import type { KeyOf, Person, RunState, SourceFacts, VouchedNouns } from './nouns.ts'
import * as states from './states.ts'
import { FoldError, listedSource, newRecord, numberOf, withRedacted } from './states.ts'

/** The fold: the effect of an entry on nouns. Nothing else changes them, on any engine. */

/** The nouns that an entry is folded into. `get` returns nothing for one that does not exist. */
export interface Folded {
  get<Noun extends keyof VouchedNouns>(noun: Noun, key: KeyOf<Noun>): VouchedNouns[Noun] | undefined
  put<Noun extends keyof VouchedNouns>(noun: Noun, after: VouchedNouns[Noun]): void
}

function mustExist<State>(state: State | undefined, { subject, subjectId, action }: Entry): State {
  if (state === undefined) throw new FoldError(`${subject} ${subjectId} is ${action} before it is created`)
  return state
}

/** A noun after one more entry about it. @param sourceOf of a record @throws FoldError when the entry cannot come next */
export function foldSubject<Noun extends Subject>(
  noun: Noun,
  before: VouchedNouns[Noun] | undefined,
  entry: Entry,
  sourceOf: (id: number) => SourceFacts = () => mustExist<SourceFacts>(undefined, entry),
): VouchedNouns[Noun] {
  const { id, subjectId, action } = entry
  // The compiler cannot relate an action to the state that it makes.
  const rule = ruleOf({ subject: noun, action }) as ActionRule<VouchedNouns[Noun]> | undefined
  const { makes, changes } = rule ?? {}
  if (makes !== undefined && isFirst(entry)) {
    if (before !== undefined) throw new FoldError(`${noun} ${subjectId} is created twice`)
    if (subjects[noun].ids === 'of its entry' && subjectId !== id)
      throw new FoldError(`${noun} ${subjectId} is not that of its entry ${id}`)
    return makes(entry)
  }
  if (changes === undefined) throw new FoldError(`${noun} ${subjectId} cannot be ${action}`)
  return changes(mustExist(before, entry), entry, sourceOf)
}

export function foldDraft<Noun extends Subject>(
  noun: Noun,
  before: VouchedNouns[Noun] | undefined,
  draft: Draft,
  who: Parameters<typeof provisional>[1],
): VouchedNouns[Noun] {
  return foldSubject(noun, before, provisional(draft, who))
}

/** Credits of an entry: XP to the awarded people, and counts to its author. */
export function foldCredits(
  entry: Entry,
  { get, put }: { readonly get: (id: string) => Person; readonly put: (after: Person) => void },
): void {
  const { subject, action, by, awards, links } = entry
  const isAction = subject === 'waypoint'
  const isNew = links.reverts === undefined && links.restores === undefined
  const count: UserCount | undefined = isNew ? ruleOf(entry)?.counts : undefined
  if (isAction || count !== undefined) {
    const person = get(by)
    put({
      ...person,
      stats: count === undefined ? person.stats : oneMore(person.stats, count),
      actions: isAction ? oneMore(person.actions, action as Action) : person.actions,
    })
  }
  for (const [userId, , amount] of awards) {
    const person = get(userId)
    put({ ...person, xp: person.xp + amount })
  }
}

function oneMore<Counts extends Readonly<Partial<Record<string, number>>>>(
  counts: Counts,
  kind: keyof Counts & string,
): Counts {
  const after: Record<string, number | undefined> = { ...counts }
  after[kind] = (counts[kind] ?? 0) + 1
  return after as Counts
}

/** Applies the loss of an entry's fields to its subject; text in force was cleared by an ordinary entry before. */
function foldLoss(
  { subject, subjectId, fields }: StoredEntry,
  names: readonly string[],
  nouns: Folded,
): void {
  const own = names.filter((name) => !entryFields.has(name))
  if (subject === 'waypoint' && own.length > 0) {
    const waypoint = nouns.get('waypoint', numberOf(subjectId))
    if (waypoint) nouns.put('waypoint', withRedacted(waypoint, own))
  }
  if (subject === 'user' && names.includes('reason')) {
    const person = nouns.get('user', String(subjectId))
    // The reason may be that of an earlier block, or of a grant.
    if (person?.block && person.block.reason === fields['reason'])
      nouns.put('user', { ...person, block: { ...person.block, reason: '' } })
  }
  if (subject === 'user' && names.includes('maintainer')) {
    const person = nouns.get('user', String(subjectId))
    const isOther = (each: Kept) => !('maintainer' in each) || each.maintainer !== fields['maintainer']
    if (person?.keeps) nouns.put('user', states.keeping(person, person.keeps.filter(isOther)))
  }
  if (subject === 'import' && names.includes('file')) {
    const run = nouns.get('import', numberOf(subjectId))
    if (run) nouns.put('import', withoutFile(run))
  }
}

const withoutFile = ({ file: _file, ...run }: RunState): RunState => run

function foldInto<Noun extends Subject>(noun: Noun, entry: Entry, nouns: Folded): void {
  const key = (noun === 'user' ? String(entry.subjectId) : numberOf(entry.subjectId)) as KeyOf<Noun>
  // A subject with the id of its entry does not exist before it.
  const isNew = subjects[noun].ids === 'of its entry' && isFirst(entry)
  const before = isNew ? undefined : nouns.get(noun, key)
  const sourceOf = (id: number): SourceFacts => mustExist(nouns.get('source', id), entry)
  nouns.put(noun, foldSubject(noun, before, entry, sourceOf))
}

/** Whether an entry states that its source listed all its records. */
export const isListing = ({ subject, action, fields }: Entry): boolean =>
  subject === 'import' && action === 'finished' && fields['complete'] === true

export function fold(entry: Entry, nouns: Folded): void {
  const { subject } = entry
  if (subject === 'entry') {
    const target = mustExist(nouns.get('entry', keyOf('entry', entry)), entry)
    foldLoss(target, namesOf(entry), nouns)
  }
  foldInto(subject, entry, nouns)
  if (subject === 'import') {
    const run = mustExist(nouns.get('import', keyOf('import', entry)), entry)
    const source = mustExist(nouns.get('source', run.sourceId), entry)
    if (isListing(entry)) nouns.put('source', listedSource(source, entry))
  }
  const record = subject === 'waypoint' ? newRecord(entry) : undefined
  if (record !== undefined) nouns.put('record', record)
  foldCredits(entry, {
    get: (id) => mustExist(nouns.get('user', id), entry),
    put: (after) => nouns.put('user', after),
  })
}

/** Each action on each kind of subject, once, for fold, redactions, reverts, mirrors and acts. */

type SourceOf = (id: number) => SourceFacts

/** An action on a subject. With both `makes` and `changes` it also restores a tombstone. */
interface ActionRule<State, After = State> {
  /** The fields of its entries, in the words of the input schemas, to which mirrored ones are held. */
  readonly fields: z.ZodObject
  readonly makes?: (entry: Entry) => After
  readonly changes?: (state: State, entry: Entry, sourceOf: SourceOf) => After
  readonly counts?: UserCount
  /** Whether it is an act of moderation. Reviews are deleted by their authors, too. */
  readonly isAct?: true
}

interface SubjectRule<S extends Subject> {
  readonly actions: { readonly [Action in SubjectActions[S][number]]: ActionRule<VouchedNouns[S]> }
  /** Where its ids come from: a counter, the entry that makes it, the person who adds it, or the log itself. */
  readonly ids: 'counted' | 'of its entry' | 'given' | 'of the log'
  /** The fields that may hold personal data, besides the reason of any entry. */
  readonly texts: readonly string[]
  readonly isRevertible?: true
}

const id = z.int().positive()
/** Names that are refused today may stand in a log since they were not. */
const name = (max: number) => text({ min: 1, max, trim: true })
const waypointName = text({ max: limits.waypointName, trim: true })
const wellFormed = (given: string): boolean => given.isWellFormed()
const halved = { message: 'has half a character in it' }
const ref = z.string().min(1).max(limits.reference).refine(wellFormed, halved)
const Day = z.iso.date()
const days = <Schema extends z.ZodType>(schema: Schema) =>
  ({ checked: schema, updated: schema, since: schema, until: schema }) satisfies Record<
    (typeof listedDays)[number],
    Schema
  >
const relisted = z.object({
  ref: ref.optional(),
  state: SourceState.nullable().optional(),
  tags: Tags.nullable().optional(),
  ...days(Day.nullable().optional()),
})
const Via = z.strictObject({
  ref: ref.optional(),
  run: id,
  source: id,
  state: SourceState.optional(),
  ...days(Day.optional()),
})
const why = { reason: Reason.optional() }
const origin = { via: Via.optional(), ...why }
const attested = z.literal(true).optional()
const kept = z.object({ maintainer: name(limits.maintainer).optional(), source: id.optional() })
const nothing = z.object({})
const waypoint = id
const { rating } = ReviewInput.shape
const { kind, observedAt, near } = Observation.shape
const observer = z.string().regex(/^[0-9a-f]{32}$/u)
const sha256 = z.string().regex(/^[0-9a-f]{64}$/u)
const file = z.strictObject({
  name: z.string().max(1000).refine(wellFormed, halved),
  sha256: z.string().max(64),
  bytes: z.int().min(0),
})

const flagged = (flag: 'approved' | 'verified', value: boolean) =>
  ({
    fields: z.object({ [flag]: z.literal(value), ...origin }),
    changes: states.changedWaypoint,
    isAct: true,
  }) as const

export const subjects: { readonly [S in Subject]: SubjectRule<S> } = {
  waypoint: {
    ids: 'counted',
    texts: [...waypointTexts, 'tags'],
    isRevertible: true,
    actions: {
      created: {
        fields: WaypointInput.omit({ nameIsMade: true }).extend({
          name: waypointName,
          properties: Properties.optional(),
          tags: Tags.optional(),
          attested,
          ...origin,
        }),
        makes: states.newWaypoint,
        changes: states.restoredWaypoint,
        counts: 'waypointsCreated',
      },
      edited: {
        fields: WaypointPatch.omit({ approved: true, verified: true, nameIsMade: true }).extend({
          name: waypointName.optional(),
          // No amenities are an empty list.
          amenities: WaypointPatch.shape.amenities.unwrap().unwrap().optional(),
          properties: Properties.nullable().optional(),
          attested,
          ...origin,
        }),
        changes: states.changedWaypoint,
        counts: 'waypointsEdited',
      },
      approved: flagged('approved', true),
      unapproved: flagged('approved', false),
      verified: flagged('verified', true),
      unverified: flagged('verified', false),
      deleted: { fields: z.object(origin), changes: states.deletedWaypoint, isAct: true },
    },
  },
  review: {
    ids: 'counted',
    texts: reviewTexts,
    isRevertible: true,
    actions: {
      created: {
        fields: z.object({ ...optionalInputs(reviewFields), rating, waypoint, ...why }),
        makes: states.newReview,
        changes: states.restoredReview,
        counts: 'reviewsPosted',
      },
      edited: {
        fields: z.object({ ...clearableInputs(reviewFields), rating: rating.optional(), ...why }),
        changes: states.changedReview,
      },
      moved: { fields: z.object({ waypoint }), changes: states.changedReview },
      deleted: { fields: z.object(why), changes: states.deletedPost, isAct: true },
    },
  },
  observation: {
    ids: 'of its entry',
    texts: observationTexts,
    isRevertible: true,
    actions: {
      created: {
        fields: z.object({
          ...optionalInputs(observationFields),
          until: Day.optional(),
          kind,
          near,
          observedAt,
          observer,
          waypoint,
          ...why,
        }),
        makes: states.newObservation,
        changes: (_tombstone, entry) => states.newObservation(entry),
      },
      edited: { fields: z.object({ comment: z.null() }), changes: states.changedPost },
      moved: { fields: z.object({ observer, waypoint }), changes: states.changedPost },
      deleted: { fields: z.object(why), changes: states.deletedPost, isAct: true },
    },
  },
  photo: {
    ids: 'of its entry',
    texts: photoTexts,
    isRevertible: true,
    actions: {
      created: {
        fields: z.object({
          ...optionalInputs(photoFields),
          takenAt: Day.optional(),
          height: id,
          license: z.string().min(1).max(64),
          mediumSha256: sha256,
          sha256,
          smallSha256: sha256,
          state: z.enum(['shown', 'waiting']),
          waypoint,
          width: id,
          ...why,
        }),
        makes: states.newPhoto,
      },
      edited: {
        fields: z.object({ ...clearableInputs(photoFields), state: z.literal('waiting').optional(), ...why }),
        changes: states.changedPost,
      },
      hidden: { fields: z.object(why), changes: states.photoIn('hidden'), isAct: true },
      shown: { fields: z.object(why), changes: states.photoIn('shown'), isAct: true },
      moved: { fields: z.object({ waypoint }), changes: states.changedPost },
      deleted: { fields: z.object(why), changes: states.deletedPost, isAct: true },
    },
  },
  user: {
    ids: 'given',
    texts: ['maintainer'],
    actions: {
      created: { fields: z.object({ moderator: z.literal(true).optional() }), makes: states.joined },
      granted: { fields: z.object({ reason: Reason }), changes: (person) => person },
      appointed: { fields: nothing, changes: (person) => ({ ...person, isModerator: true }) },
      dismissed: { fields: nothing, changes: (person) => ({ ...person, isModerator: false }) },
      entrusted: { fields: kept, changes: states.entrusted },
      relieved: { fields: kept, changes: states.relieved },
      blocked: {
        fields: z.object({ reason: Reason, until: Instant.optional() }),
        changes: states.blocked,
        isAct: true,
      },
      unblocked: { fields: nothing, changes: states.unblocked, isAct: true },
    },
  },
  area: {
    ids: 'counted',
    texts: areaTexts,
    actions: {
      created: {
        fields: BoundingBoxInput.extend({
          name: name(limits.areaName),
          color: z.string().regex(/^#[0-9a-f]{6}$/u),
        }),
        makes: states.newArea,
        changes: states.restoredArea,
      },
      edited: {
        fields: z.object({ ...clearableInputs(areaFields), name: name(limits.areaName).optional() }),
        changes: states.changedLately,
      },
      deleted: { fields: nothing, changes: (area, { at }) => ({ ...area, updatedAt: at, deletedAt: at }) },
    },
  },
  source: {
    ids: 'counted',
    texts: [],
    actions: {
      created: { fields: SourceInput.extend({ name: name(limits.sourceName) }), makes: states.newSource },
      edited: { fields: SourceInput.omit({ name: true }).partial(), changes: states.changedLately },
    },
  },
  import: {
    ids: 'counted',
    texts: ['file'],
    actions: {
      started: { fields: z.object({ file: file.optional(), source: id }), makes: states.newRun },
      finished: {
        fields: z.object({
          complete: z.boolean(),
          counts: z.record(z.string().max(64), z.int().min(0)),
          published: Day.optional(),
        }),
        changes: states.finishedRun,
      },
    },
  },
  record: {
    ids: 'of its entry',
    texts: ['tags'],
    actions: {
      linked: {
        fields: z.object({ tags: Tags.optional(), via: Via, waypoint }),
        makes: states.linkedRecord,
      },
      edited: { fields: relisted, changes: states.listedRecord },
      relisted: { fields: relisted, changes: states.listedRecord },
      moved: { fields: z.object({ waypoint }), changes: states.movedRecord },
      delisted: { fields: nothing, changes: states.delistedRecord },
    },
  },
  entry: {
    ids: 'of the log',
    texts: [],
    actions: {
      redacted: {
        fields: z.object({
          names: z.array(z.string().min(1).max(64)).min(1).max(limits.redactedNames),
          reason: Reason,
        }),
        changes: (entry, redaction) => ({
          ...entry,
          ...redact(entry, new Set(namesOf(redaction))),
          seed: null,
        }),
      },
    },
  },
}

type AnyRule = ActionRule<never, unknown>

export function ruleOf({
  subject,
  action,
}: Pick<Entry, 'subject'> & { readonly action: string }): AnyRule | undefined {
  const actions: Readonly<Record<string, AnyRule>> = subjects[subject].actions
  return Object.hasOwn(actions, action) ? actions[action] : undefined
}

export function isFirst(entry: Pick<Entry, 'subject' | 'links'> & { readonly action: string }): boolean {
  const { makes, changes } = ruleOf(entry) ?? {}
  return makes !== undefined && (changes === undefined || entry.links.restores === undefined)
}

/** Whether deleted ones come back. */
export const isRestorable = (subject: Subject): boolean =>
  ruleOf({ subject, action: 'created' })?.changes !== undefined

/** Whether a merge moves them to another waypoint. */
export const isMovable = (subject: Subject): subject is 'review' | 'observation' | 'photo' | 'record' =>
  ruleOf({ subject, action: 'moved' }) !== undefined

/** Whether texts of it that are in force are cleared by an ordinary edit before they are redacted. */
export const isClearable = (subject: Subject): boolean =>
  subjects[subject].texts.length > 0 && ruleOf({ subject, action: 'edited' }) !== undefined

export type Revertible = 'waypoint' | 'review' | 'observation' | 'photo'
export const isRevertible = (subject: Subject): subject is Revertible =>
  subjects[subject].isRevertible === true

export function keyOf<Noun extends Subject>(
  noun: Noun,
  { subjectId }: { readonly subjectId: number | string },
): KeyOf<Noun> {
  return (noun === 'user' ? String(subjectId) : Number(subjectId)) as KeyOf<Noun>
}

export function namesOf({ fields: { names } }: Pick<Entry, 'fields'>): string[] {
  return Array.isArray(names) ? names.map(String) : []
}

type ActEntry = Pick<GivenEntry, 'subject' | 'subjectId' | 'action' | 'fields' | 'links'>

export function actKindOf({ subject, action, fields, links }: ActEntry): ActKind | undefined {
  if (fields['via'] !== undefined) return undefined
  if (subject === 'entry') return 'redacted'
  if (isRevertible(subject)) {
    if (links.reverts !== undefined) return 'reverted'
    if (links.mergedInto !== undefined) return 'merged'
    if (links.restores !== undefined) return 'restored'
  }
  if (subject === 'waypoint' && action === 'edited' && links.act !== undefined) return 'edited'
  return ruleOf({ subject, action })?.isAct === true ? (action as ActKind) : undefined
}

export function entryUndoneBy(kind: ActKind, { subjectId, links }: ActEntry): number | undefined {
  if (kind === 'reverted') return links.reverts
  return kind === 'redacted' ? Number(subjectId) : undefined
}
