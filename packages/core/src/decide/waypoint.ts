import { invalid, notFound, RegistryError } from '../errors.ts'
import type { Tags } from '../fields/source.ts'
import { editableFields, loggedFields, waypointFields } from '../fields/waypoint.ts'
import { draftOf, type ChangedFields, type Draft, type Via, changedFields } from '../log/entry.ts'
import { foldDraft } from '../log/fold.ts'
import { isLive, published, type WaypointState } from '../log/nouns.ts'
import { around, nearDuplicates } from '../places/duplicates.ts'
import { inEnglish, labelsWith } from '../places/labels.ts'
import { membersInOrder } from '../schemas/described.ts'
import { CreateOptions } from '../schemas/duplicate.ts'
import { isObject, parse } from '../schemas/parse.ts'
import type { ReportInput } from '../schemas/report.ts'
import { NamelessInput, Waypoint, WaypointInput, WaypointPatch } from '../schemas/waypoint.ts'
import {
  contribution,
  earn,
  hasScope,
  keptOf,
  mayModerate,
  mustHaveScope,
  mustModerate,
  passGate,
  type Contributor,
  type Occasion,
  heldFor,
  holding,
  isHeld,
  mustNotBeTooMuch,
} from './contributor.ts'
import { asked, nounOf, type Deciding, type Decision, type Facts, type Decided } from './deciding.ts'
import { propertiesAfter } from './properties.ts'
import { takeBacksLeft } from './take-backs.ts'
import { mustHaveReason } from './user.ts'

const unplaced = labelsWith(inEnglish)

/** The log's action for each new value of a flag. */
export const flagActions = {
  approved: { true: 'approved', false: 'unapproved' },
  verified: { true: 'verified', false: 'unverified' },
} as const
export const flags = ['approved', 'verified'] as const
export type Flag = (typeof flags)[number]

function firstFields(
  given: WaypointInput,
  who: Contributor,
  { via, tags }: { readonly via?: Via | undefined; readonly tags?: Tags | undefined },
): ChangedFields {
  const mayFlag = hasScope(who, 'moderate')
  const isPrivileged = hasScope(who, 'administer')
  const fields: Record<string, unknown> = {}
  for (const name of loggedFields) {
    const value = given[name]
    // An empty text is the same as none, but for the name, which an entry always has.
    if (value === undefined || value === null || (value === '' && name !== 'name')) continue
    const { setBy } = waypointFields[name]
    if (isPrivileged || setBy === 'editors' || (mayFlag && setBy === 'moderators')) fields[name] = value
  }
  if (via !== undefined) fields['via'] = via
  else if (typeof fields['maintainer'] === 'string' && mayModerate(who))
    return membersInOrder({ ...fields, attested: true })
  return tags === undefined ? fields : membersInOrder({ ...fields, tags })
}

/** The draft of a new waypoint's entry: XP for the contributor, and the bonus for the creator when it is verified. */
export function creation(
  occasion: Pick<Occasion, 'rules'>,
  who: Contributor,
  { id, given, ...from }: { id: number; given: WaypointInput; via?: Via; tags?: Tags },
): Draft<'waypoint'> {
  const creator = (hasScope(who, 'administer') ? given.addedByUserId : undefined) ?? who.userId
  const isVerified = hasScope(who, 'moderate') && given.verified === true
  return {
    ...draftOf('waypoint', id, 'created', firstFields(given, who, from)),
    awards: [
      ...earn(occasion, who.userId, 'createWaypoint'),
      ...(isVerified ? earn(occasion, creator, 'waypointVerified') : []),
    ],
  }
}

/** A waypoint after drafts about it, in the form of responses; the log adds nothing public. */
export function afterDrafts(
  before: WaypointState | undefined,
  drafts: readonly Draft[],
  { nextEntry = 0, ...who }: { readonly by: string; readonly at: string; readonly nextEntry?: number },
): WaypointState {
  let state = before
  for (const [index, draft] of drafts.entries())
    state = foldDraft('waypoint', state, draft, { ...who, id: nextEntry + index })
  if (state === undefined) throw new Error('a new waypoint needs an entry')
  return state
}

export const shown = ({ labelOf = unplaced }: Pick<Occasion, 'labelOf'>, state: WaypointState): Waypoint =>
  published(state, labelOf)

const versions = new WeakMap<Waypoint, number>()

/** The version of a waypoint that `create` or `update` answered, as that write left it. @throws TypeError for another */
export function writtenVersion(answer: Waypoint): number {
  const version = versions.get(answer)
  if (version === undefined) throw new TypeError('no write answered this waypoint')
  return version
}

function written(occasion: Occasion, state: WaypointState): Waypoint {
  const answer = shown(occasion, state)
  versions.set(answer, state.version)
  return answer
}

/** Creates a waypoint: XP for the contributor, and the bonus for the creator when it is created verified. */
export function* createWaypoint(
  occasion: Occasion,
  input: unknown,
  options: CreateOptions = {},
): Decided<Waypoint> {
  const { who, facts } = yield* contribution(occasion)
  passGate(occasion, who, 'createWaypoint')
  const given = withProperties(newWaypointIn(input, Waypoint), occasion)
  const { unlessNear } = parse(CreateOptions, options)
  if (hasScope(who, 'administer')) yield* mustBeUser(given.addedByUserId)
  if (unlessNear !== undefined) yield* mustBeNew(occasion, given, unlessNear)
  yield* mustNotBeTooMuch(occasion, who, 'creates')
  const id = facts.last.waypoint + 1
  const draft = creation(occasion, who, { id, given })
  const { userId: by } = who
  const { at } = occasion
  const { nextEntry } = facts
  const answer = written(occasion, afterDrafts(undefined, [draft], { by, at, nextEntry }))
  if (!(yield* isHeld(occasion, who))) return { entries: [draft], by, answer }
  const { awards = [], ...entry } = draft
  return { entries: [entry], unlogged: awards.map((award) => holding(id, award, at)), by, answer }
}

const hasMadeName = (input: unknown): input is object => isObject(input) && input['nameIsMade'] === true

const unnamed = (input: object): object => ({ ...input, name: undefined })

/** A new waypoint, with an empty name where it has none. @throws RegistryError INVALID_INPUT, INVALID_COORDINATES */
export function newWaypointIn(input: unknown, read?: typeof Waypoint): WaypointInput {
  if (!hasMadeName(input)) return parse(WaypointInput, input, read)
  return { ...parse(NamelessInput, unnamed(input), read), name: '' }
}

/** An input with its custom fields as they are after it. @throws RegistryError INVALID_INPUT */
export function withProperties<Given extends WaypointPatch>(
  given: Given,
  { properties: declared }: Pick<Occasion, 'properties'>,
  before?: WaypointState,
): Given {
  if (given.properties === undefined) return given
  return { ...given, properties: propertiesAfter(given.properties, before?.properties, declared) }
}

/** @throws RegistryError DUPLICATE `{ candidates }` when there is a waypoint within some metres */
function* mustBeNew(occasion: Occasion, given: WaypointInput, metres: number): Deciding<void> {
  const ids = yield* asked('near', around(given, metres))
  if (ids.length === 0) return
  const facts = yield ids.map((key) => ({ noun: 'waypoint', key }))
  const candidates = nearDuplicates(
    given,
    ids.map((id) => shown(occasion, liveWaypoint(facts, id))),
  )
  const count = candidates.length === 1 ? 'a waypoint' : `${candidates.length} waypoints`
  throw new RegistryError(
    'DUPLICATE',
    `There is ${count} within ${metres} m already: confirm or edit it, or send this without unlessNear`,
    { candidates },
  )
}

/** @throws RegistryError INVALID_INPUT when the creator that a token names does not exist */
export function* mustBeUser(userId: string | undefined): Deciding<void> {
  if (userId === undefined || (yield* nounOf('user', userId)) !== undefined) return
  throw invalid('addedByUserId', 'names no user of this registry')
}

function changedFlags(before: WaypointState, patch: WaypointPatch, who: Contributor): Flag[] {
  if (!mayModerate(who)) return []
  return flags.filter((flag) => patch[flag] !== undefined && patch[flag] !== before[flag])
}

/** The drafts of an edit: one `edited` entry for all changed fields, and one for each changed flag. */
export function edits(
  occasion: Pick<Occasion, 'rules'>,
  who: Contributor,
  { before, patch, via }: { before: WaypointState; patch: WaypointPatch; via?: Via | undefined },
): Draft<'waypoint'>[] {
  const isPrivileged = hasScope(who, 'administer')
  const names = editableFields.filter((name) => isPrivileged || name !== 'addedByUserId')
  // No amenities are an empty list.
  const given = patch.amenities === null ? { ...patch, amenities: [] } : patch
  const isRenamed = given.name !== undefined && given.name !== before.name
  const fields: ChangedFields = {
    ...(isRenamed && { name: given.name }),
    ...changedFields(names, before, { ...given, name: undefined }),
  }
  const attests = via === undefined && mayModerate(who)
  // A moderator may confirm the one that it has.
  const isSame = given.maintainer !== undefined && given.maintainer === before.maintainer
  if (attests && isSame && !before.isAttested) Object.assign(fields, { maintainer: given.maintainer })
  const isAttested = attests && typeof fields['maintainer'] === 'string'
  const from = { ...(via !== undefined && { via }), ...(isAttested && { attested: true }) }
  const drafts: Draft<'waypoint'>[] = []
  if (Object.keys(fields).length > 0)
    drafts.push({
      ...draftOf('waypoint', before.id, 'edited', { ...fields, ...from }),
      awards: earn(occasion, who.userId, 'editWaypoint'),
    })
  const creator = (fields['addedByUserId'] ?? before.addedByUserId) as string
  for (const flag of changedFlags(before, patch, who)) {
    const isBonus = flag === 'verified' && patch.verified === true && !before.verifiedOnce
    const action = flagActions[flag][patch[flag] === true ? 'true' : 'false']
    drafts.push({
      ...draftOf('waypoint', before.id, action, { [flag]: patch[flag], ...(via !== undefined && { via }) }),
      awards: isBonus ? earn(occasion, creator, 'waypointVerified') : [],
    })
  }
  return drafts
}

/** A waypoint that is no tombstone. @throws RegistryError NOT_FOUND */
export function liveWaypoint(facts: Facts, id: number): WaypointState {
  const state = facts.get('waypoint', id)
  if (isLive(state)) return state
  const { mergedInto } = facts.get('waypoint', id) ?? {}
  throw notFound('waypoint', id, mergedInto === undefined ? {} : { mergedInto })
}

/** The live waypoint that the input of another noun names. @throws RegistryError INVALID_INPUT */
export function* namedWaypoint(bubblerId: number): Deciding<WaypointState> {
  const waypoint = yield* nounOf('waypoint', bubblerId)
  if (!isLive(waypoint)) throw invalid('bubblerId', 'names no waypoint of this registry')
  return waypoint
}

export interface WaypointCondition {
  /** The version, or one of them, that it must have, as `dossier` returns it. Default any. */
  readonly ifVersion?: number | readonly number[] | undefined
}

export interface DeletionReason {
  /** Public, in the log and among the acts of moderators. Default none. */
  readonly reason?: string | undefined
}

/** The last check of a write (RFC 9110, 13.2.1). @throws RegistryError PRECONDITION_FAILED `{ waypoint }` */
function mustBeVersion(occasion: Occasion, state: WaypointState, { ifVersion }: WaypointCondition): void {
  if (ifVersion === undefined || [ifVersion].flat().includes(state.version)) return
  throw new RegistryError('PRECONDITION_FAILED', undefined, { waypoint: shown(occasion, state) })
}

/** Edits a waypoint, as `waypoints.update` says. No gate applies when a moderator changes only flags. */
export function* updateWaypoint(
  occasion: Occasion,
  id: number,
  input: unknown,
  { reporting, ...condition }: WaypointCondition & { readonly reporting?: Reporting } = {},
): Decided<Waypoint> {
  const { who, facts } = yield* contribution(occasion, [{ noun: 'waypoint', key: id }])
  // Moderators may turn flags whatever their XP, so the gate waits until the changes are known.
  if (!who.isModerator) passGate(occasion, who, 'editWaypoint')
  const given = hasMadeName(input)
    ? { ...parse(WaypointPatch, unnamed(input), Waypoint), name: '' }
    : parse(WaypointPatch, input, Waypoint)
  const before = liveWaypoint(facts, id)
  const patch = withProperties(given, occasion, before)
  if (hasScope(who, 'administer') && patch.addedByUserId !== before.addedByUserId)
    yield* mustBeUser(patch.addedByUserId)
  const report = yield* aboutMaintainer(occasion, who, { before, patch, reporting })
  const entries = edits(occasion, who, {
    before,
    patch: report === undefined ? patch : { ...patch, maintainer: undefined },
  })
  if (who.isModerator && !isOnlyFlags(patch, entries)) passGate(occasion, who, 'editWaypoint')
  if (entries.some(({ action }) => action === 'edited')) yield* mustNotBeTooMuch(occasion, who, 'edits')
  mustBeVersion(occasion, before, condition)
  const by = who.userId
  const { nextEntry } = facts
  const answer = written(occasion, afterDrafts(before, entries, { by, at: occasion.at, nextEntry }))
  const approval = entries.find(({ action }) => action === 'approved' || action === 'verified')
  if (approval === undefined) return { entries, unlogged: report?.unlogged ?? [], by, answer }
  const { awards, unlogged } = yield* heldFor(id, by)
  const earning = entries.map((each) =>
    each === approval ? { ...each, awards: [...(each.awards ?? []), ...awards] } : each,
  )
  return { entries: earning, unlogged, by, answer }
}

type Reporting = (occasion: Occasion, input: ReportInput) => Decided<string>

/** The report about another maintainer of a kept fountain, if needed. @throws RegistryError FORBIDDEN for its keepers */
function* aboutMaintainer(
  occasion: Occasion,
  who: Contributor,
  {
    before,
    patch: { maintainer },
    reporting,
  }: {
    readonly before: WaypointState
    readonly patch: WaypointPatch
    readonly reporting?: Reporting | undefined
  },
): Deciding<Decision<string> | undefined> {
  const isOther = maintainer !== undefined && (maintainer || undefined) !== before.maintainer
  if (!isOther || mayModerate(who)) return undefined
  if ((yield* keptOf(who, [before])).has(before.id))
    throw new RegistryError('FORBIDDEN', 'Keepers do not change who maintains a fountain: ask a moderator')
  const keepers = yield* asked('keepers', {})
  if (!(yield* keptOf({ keeps: keepers.filter((each) => 'maintainer' in each) }, [before])).has(before.id))
    return undefined
  if (who.kind === 'token') mustHaveScope(who, 'moderate')
  if (reporting === undefined) throw new Error('another maintainer is reported')
  return yield* reporting(occasion, {
    bubblerId: before.id,
    reason: 'wrong',
    comment: `maintainer: ${maintainer ?? ''}`.trim(),
  })
}

/** Whether nothing but flags changes; a patch that names nothing else may also leave them as they are. */
function isOnlyFlags(patch: WaypointPatch, drafts: readonly Draft[]): boolean {
  if (drafts.length > 0) return drafts.every(({ action }) => action !== 'edited')
  return editableFields.every((field) => patch[field] === undefined)
}

export function* deleteWaypoint(
  occasion: Occasion,
  id: number,
  { reason, ...condition }: WaypointCondition & DeletionReason = {},
): Decided<Waypoint> {
  const { who, facts } = yield* contribution(occasion, [{ noun: 'waypoint', key: id }])
  const before = liveWaypoint(facts, id)
  mustModerate(who, 'Only moderators and API tokens may delete a waypoint')
  const fields = reason === undefined ? {} : { reason: mustHaveReason(reason) }
  mustBeVersion(occasion, before, condition)
  yield* takeBacksLeft(occasion, who)
  return { entries: [{ ...deletion(id), fields }], by: who.userId, answer: shown(occasion, before) }
}

export function deletion(id: number): Draft<'waypoint'> {
  return draftOf('waypoint', id, 'deleted')
}
