import { z } from 'zod'
import { RegistryError } from '../errors.ts'
import type { Properties, PropertyValue } from '../fields/field.ts'
import { listedDays, type ListedDays } from '../fields/source.ts'
import { optionalFields, optionalValuesOf, type OptionalValues } from '../fields/waypoint.ts'
import { draftOf, daysOf, type Draft, type Via } from '../log/entry.ts'
import { isSameValue } from '../log/leaf.ts'
import type { MergeBase, RecordState, WaypointState } from '../log/nouns.ts'
import type { DeclaredProperties } from '../properties-declared.ts'
import { limits, type Rules } from '../rules.ts'
import { membersInOrder } from '../schemas/described.ts'
import { parse } from '../schemas/parse.ts'
import { type SourceState, Tags } from '../schemas/source.ts'
import { WaypointInput, type WaypointPatch } from '../schemas/waypoint.ts'
import { type TokenActor, contribution, type Contributor } from './contributor.ts'
import {
  asked,
  type Deciding,
  type Decision,
  type Facts,
  type Need,
  type Unlogged,
  type Decided,
} from './deciding.ts'
import { restoration } from './merge.ts'
import { isCleared } from './redaction.ts'
import { afterDrafts, creation, edits, mustBeUser, newWaypointIn, withProperties } from './waypoint.ts'

/** One row of a file, after its columns were interpreted. */
export interface ImportRow extends ListedDays {
  /** The number of the row in the file, for reports. */
  readonly row: number
  /** The source's own id of the waypoint, if it has stable ids. */
  readonly ref?: string | undefined
  /** The waypoint's fields; validated like every input. */
  readonly input: unknown
  /** The waypoint's state at the source, when it gives no water. */
  readonly state?: SourceState | undefined
  /** The tags of the object at OpenStreetMap that it is. */
  readonly tags?: Tags | undefined
  /** The id of an existing waypoint that is the same fountain. */
  readonly mergeInto?: number | undefined
  /** The waypoint that it may be, or that a person left it out: it is kept, and not imported. */
  readonly doubt?: Doubt | 'skip' | undefined
}

/** The waypoint that a row may be, how far away and how alike (0 to 1). */
export interface Doubt {
  readonly waypointId: number
  readonly metres: number
  readonly score: number
}

/** The result of importing a row, or of a dry run. */
export interface ImportOutcome {
  readonly row: number
  /** `linked` adds the source to a waypoint that was here; `doubtful` waits for a person, who decided about `skipped`. */
  readonly kind:
    | 'created'
    | 'updated'
    | 'unchanged'
    | 'linked'
    | 'conflict'
    | 'deleted'
    | 'doubtful'
    | 'skipped'
    | 'refused'
  /** Absent for refused rows, and for new ones in a dry run. */
  readonly waypointId?: number
  readonly fields: readonly string[]
  readonly conflicts: readonly Conflict[]
  /** Fields of the source that were not written, because text was redacted from them here. */
  readonly withheld: readonly string[]
  readonly reason?: string
}

export interface RunTerms {
  readonly rules: Rules
  readonly properties?: DeclaredProperties | undefined
  readonly actor: TokenActor
  /** Absent in a dry run of a new source. */
  readonly sourceId?: number | undefined
  readonly runId?: number | undefined
  /** Whether new waypoints are approved when their row does not say. */
  readonly approved: boolean
}

const nothing = { fields: [], conflicts: [], withheld: [] } as const

export function closedFields({ redactedFields }: WaypointState): ClosedFields {
  return redactedFields === undefined ? noFields : new Set(redactedFields)
}

/** The redacted fields of the last import: a merge may have moved the record to another waypoint since. */
function closedIn(base: MergeBase | undefined): readonly string[] {
  if (base === undefined || !base.values.includes(':null')) return []
  const values = JSON.parse(base.values) as Record<string, unknown>
  return Object.keys(values).filter((field) => values[field] === null)
}

function firstNeeds({ sourceId }: RunTerms, { ref, mergeInto }: ImportRow): Need[] {
  const needs: Need[] = []
  if (sourceId !== undefined && ref !== undefined) needs.push({ noun: 'record', where: { sourceId, ref } })
  if (mergeInto === undefined) return needs
  needs.push({ noun: 'waypoint', key: mergeInto })
  if (sourceId !== undefined) needs.push({ noun: 'record', where: { sourceId, waypointId: mergeInto } })
  return needs
}

/** The record of a row from an earlier run: by its reference, or by its waypoint when references changed. */
function* recordOf(
  { sourceId, runId }: RunTerms,
  { ref, mergeInto }: ImportRow,
  facts: Facts,
): Deciding<RecordState | undefined> {
  if (sourceId === undefined) return undefined
  const [exact] = ref === undefined ? [] : facts.find('record', { sourceId, ref })
  if (exact !== undefined || mergeInto === undefined) return exact
  const candidates = facts.find('record', { sourceId, waypointId: mergeInto })
  if (candidates.length === 0) return undefined
  const known = yield candidates.map(({ id }) => ({ noun: 'base', key: id }))
  return candidates.find(
    (record) => record.ref === undefined || known.get('base', record.id)?.seenIn !== runId,
  )
}

export function* inputOf(terms: RunTerms, { input, ref, tags }: ImportRow): Deciding<WaypointInput | string> {
  if (ref !== undefined && (ref === '' || ref.length > limits.reference || !ref.isWellFormed()))
    return `ref must have 1 to ${limits.reference} characters, and no half of one`
  try {
    const given = withProperties(newWaypointIn(input), terms)
    if (tags !== undefined) parse(z.object({ tags: Tags }), { tags })
    yield* mustBeUser(given.addedByUserId)
    return given
  } catch (error) {
    if (error instanceof RegistryError) return error.message
    throw error
  }
}

/** The row with its tags in the logged order, by key, and without days in the future. */
function inOrder(row: ImportRow, at: string): ImportRow {
  const { tags = {}, checked = '', updated = '' } = row
  const today = at.slice(0, 10)
  if (row.tags === undefined && checked <= today && updated <= today) return row
  return {
    ...row,
    tags: Object.keys(tags).length === 0 ? undefined : membersInOrder(tags),
    ...(checked > today && { checked: undefined }),
    ...(updated > today && { updated: undefined }),
  }
}

export function* importRow(terms: RunTerms, given: ImportRow, at: string): Decided<ImportOutcome> {
  const row = inOrder(given, at)
  const { rules, actor } = terms
  const { who, facts } = yield* contribution({ rules, actor, at }, firstNeeds(terms, row))
  const refused = (reason: string): Decision<ImportOutcome> => ({
    entries: [],
    by: who.userId,
    answer: { row: row.row, kind: 'refused', ...nothing, reason },
  })
  const merged = row.mergeInto === undefined ? undefined : facts.get('waypoint', row.mergeInto)?.mergedInto
  // It was merged after the row was matched.
  if (merged !== undefined) return yield* importRow(terms, { ...given, mergeInto: merged }, at)
  const input = yield* inputOf(terms, row)
  if (typeof input === 'string') return refused(input)
  const record = yield* recordOf(terms, row, facts)
  const targetId = record?.waypointId ?? row.mergeInto
  if (targetId === undefined) return newWaypoint(terms, who, { row, input, facts })
  const known = yield [
    { noun: 'waypoint', key: targetId },
    ...(record === undefined ? [] : [{ noun: 'base', key: record.id } as const]),
    ...(record === undefined ? [] : [{ noun: 'source', key: record.sourceId } as const]),
  ]
  const waypoint = known.get('waypoint', targetId)
  const isGone = waypoint?.deletedAt !== undefined && record === undefined
  if (waypoint === undefined || isGone) return refused(`there is no waypoint ${targetId} to merge with`)
  const base = record && known.get('base', record.id)
  const back = yield* comesBack(waypoint, record, viaOf(terms, row))
  const { nextEntry } = known
  return changedWaypoint(terms, who, {
    row,
    input,
    waypoint: back.length === 0 ? waypoint : afterDrafts(waypoint, back, { by: who.userId, at }),
    back,
    record,
    base,
    nextEntry,
  })
}

/** Restores a waypoint that an import of the same source removed, or the undoing of one; not those that people deleted. */
function* comesBack(
  waypoint: WaypointState,
  record: RecordState | undefined,
  via: Via,
): Deciding<readonly Draft[]> {
  const { id: subjectId, deletedAt, mergedInto, redactedFields } = waypoint
  if (record === undefined || deletedAt === undefined || mergedInto !== undefined) return []
  if (redactedFields?.includes('latitude') === true) return []
  const entries = yield* asked('entriesAbout', { subject: 'waypoint', subjectId })
  const deletion = entries.findLast(({ action }) => action === 'deleted')
  const by = deletion?.fields['via'] as Partial<Via> | undefined
  if (by?.source !== record.sourceId) return []
  const drafts = yield* restoration(waypoint, { reason: 'Its source lists it again' })
  return drafts.map((draft) => ({ ...draft, fields: { ...draft.fields, via } }))
}

function newWaypoint(
  terms: RunTerms,
  who: Contributor,
  { row, input, facts }: { readonly row: ImportRow; readonly input: WaypointInput; readonly facts: Facts },
): Decision<ImportOutcome> {
  const id = facts.last.waypoint + 1
  const approved = terms.approved ? (input.approved ?? true) : undefined
  const draft = creation(terms, who, {
    id,
    given: { ...input, approved },
    via: viaOf(terms, row),
    tags: row.tags,
  })
  const fields = Object.keys(draft.fields).filter((field) => field !== 'via' && field !== 'tags')
  const values = JSON.stringify(importedValues(input))
  return {
    entries: [draft],
    unlogged: [{ noun: 'base', after: { id: facts.nextEntry, values, seenIn: terms.runId ?? 0 } }],
    by: who.userId,
    answer: { row: row.row, kind: 'created', waypointId: id, fields, conflicts: [], withheld: [] },
  }
}

interface Change {
  readonly row: ImportRow
  readonly input: WaypointInput
  readonly waypoint: WaypointState
  readonly back: readonly Draft[]
  readonly record: RecordState | undefined
  readonly base: MergeBase | undefined
  readonly nextEntry: number
}

function changedWaypoint(terms: RunTerms, who: Contributor, change: Change): Decision<ImportOutcome> {
  const { row: given, input, waypoint, back, record, base, nextEntry } = change
  const forgotten = closedIn(base)
  const closed = new Set([...closedFields(waypoint), ...forgotten])
  const row = closed.has('tags') ? { ...given, tags: undefined } : given
  const before = rememberedBy(base)
  const values = withUndeclared(importedValues(input), before, terms.properties)
  const { kind, patch, conflicts, withheld } =
    record === undefined
      ? mergedLink(waypoint, values, closed)
      : mergedAgain(waypoint, before, values, closed)
  const via = viaOf(terms, row)
  const fields = Object.keys(patch)
  const changes = fields.length === 0 ? [] : edits(terms, who, { before: waypoint, patch, via })
  const entries: Draft[] = [...back, ...changes]
  const id = record?.id ?? nextEntry + entries.length
  if (record !== undefined) entries.push(...relisting(record, row))
  else {
    const linked = { ...(row.tags !== undefined && { tags: row.tags }), via, waypoint: waypoint.id }
    entries.push(draftOf('record', id, 'linked', linked))
  }
  const after = {
    id,
    values: JSON.stringify({
      ...rememberedValues(values, closed),
      ...Object.fromEntries(forgotten.map((field) => [field, null])),
    }),
    seenIn: terms.runId ?? 0,
  }
  const isRemembered = base?.values === after.values && base.seenIn === after.seenIn
  const unlogged: Unlogged[] = isRemembered ? [] : [{ noun: 'base', after }]
  const outcome = back.length > 0 && kind === 'unchanged' ? 'updated' : kind
  const answer = { row: row.row, kind: outcome, waypointId: waypoint.id, fields, conflicts, withheld }
  return { entries, unlogged, by: who.userId, answer }
}

/** The values of a row with the custom fields that its source had before, and that nobody declares any more. */
function withUndeclared(
  values: ImportedValues,
  { properties: before = {} }: RememberedValues,
  declared: DeclaredProperties | undefined,
): ImportedValues {
  const old = Object.entries(before).filter(([name]) => declared?.has(name) !== true)
  if (old.length === 0) return values
  return { ...values, properties: membersInOrder({ ...Object.fromEntries(old), ...values.properties }) }
}

/** The values of the last import; stored nulls stand for redacted ones and are left out. */
export function rememberedBy(base: MergeBase | undefined): RememberedValues {
  if (base === undefined) return {}
  const values = JSON.parse(base.values) as RememberedValues
  if (!base.values.includes(':null')) return values
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))
}

function viaOf({ sourceId = 0, runId = 0 }: RunTerms, row: ImportRow): Via {
  const { ref, state } = row
  const via = { ...(ref !== undefined && { ref }), run: runId, source: sourceId }
  return { ...via, ...(state !== undefined && { state }), ...daysOf(row) }
}

/** The changes of a record that its source lists again: its reference, its state and days, or its return. */
function relisting(record: RecordState, row: ImportRow): Draft<'record'>[] {
  const { ref, state } = row
  const changedDays = listedDays.filter((name) => row[name] !== record[name])
  const fields = {
    ...(ref !== undefined && ref !== record.ref && { ref }),
    ...(state !== record.state && { state: state ?? null }),
    ...Object.fromEntries(changedDays.map((name) => [name, row[name] ?? null])),
    ...(!isSameValue(row.tags, record.tags) && { tags: row.tags ?? null }),
  }
  const isBack = record.missingSince !== undefined
  if (!isBack && Object.keys(fields).length === 0) return []
  return [draftOf('record', record.id, isBack ? 'relisted' : 'edited', fields)]
}

/** The fields of a waypoint at its source; the source does not have absent ones. */
export type ImportedValues = Readonly<
  Pick<WaypointInput, 'name' | 'latitude' | 'longitude'> & OptionalValues & { amenities?: readonly string[] }
>

/** The stored values of a source: redacted fields are missing, and in a mirror all of them. */
type RememberedValues = Partial<ImportedValues>

type ClosedFields = ReadonlySet<string>
const noFields: ClosedFields = new Set()

const importedFields = ['name', ...optionalFields, 'amenities'] as const

/** A field that changed both at the source and here since the last import. The value here stays. */
export interface Conflict {
  readonly field: string
  readonly here: unknown
  readonly there: unknown
}

/** The merge of a source's values into an existing waypoint: the patch, and the values that were not taken over. */
export interface Merge {
  readonly kind: 'updated' | 'unchanged' | 'linked' | 'conflict' | 'deleted'
  readonly patch: WaypointPatch
  readonly conflicts: readonly Conflict[]
  /** Fields of the source that were not written, because text was redacted from them here. */
  readonly withheld: readonly string[]
}

function importedValues(input: WaypointInput): ImportedValues {
  const { name, latitude, longitude, amenities } = input
  return {
    name,
    latitude,
    longitude,
    ...(amenities && amenities.length > 0 && { amenities }),
    ...optionalValuesOf(input),
  }
}

function rememberedValues(values: ImportedValues, closed: ClosedFields): RememberedValues {
  if (closed.size === 0) return values
  return Object.fromEntries(Object.entries(values).filter(([field]) => !closed.has(field)))
}

function withheldFields(
  waypoint: WaypointState,
  values: ImportedValues,
  closed: ClosedFields,
): (typeof importedFields)[number][] {
  if (closed.size === 0) return []
  const isNews = (field: (typeof importedFields)[number]): boolean =>
    field === 'amenities'
      ? (values.amenities ?? []).some((each) => !waypoint.amenities.includes(each))
      : values[field] !== undefined && !isSameValue(values[field], waypoint[field])
  return importedFields.filter((field) => closed.has(field) && isNews(field))
}

/** The amenities here after the source's additions and removals, in the order they have here. */
function mergedAmenities(
  here: readonly string[],
  before: readonly string[],
  now: readonly string[],
): string[] {
  const taken = new Set(before.filter((each) => !now.includes(each)))
  const added = now.filter((each) => !before.includes(each) && !here.includes(each))
  return [...here.filter((each) => !taken.has(each)), ...added]
}

/** The custom fields here after the source's changes, one by one. Fields also changed here stay, and conflict. */
function mergedProperties(here: Properties, before: Properties, now: Properties) {
  const after: Record<string, PropertyValue> = { ...here }
  const conflicts: Conflict[] = []
  for (const name of Object.keys({ ...before, ...now })) {
    const [mine, was, is] = [here[name], before[name], now[name]]
    if (isSameValue(is, was) || isSameValue(is, mine)) continue
    if (!isSameValue(mine, was))
      conflicts.push({ field: `properties.${name}`, here: mine ?? null, there: is ?? null })
    else if (is === undefined) delete after[name]
    else after[name] = is
  }
  return { properties: Object.keys(after).length === 0 ? null : membersInOrder(after), conflicts }
}

/** Whether a waypoint is unchanged since its import; a field with redacted text must still be empty. */
export function isAsImported(
  waypoint: WaypointState,
  values: RememberedValues,
  closed: ClosedFields,
): boolean {
  const isSame = (field: (typeof importedFields)[number]): boolean =>
    field === 'amenities'
      ? waypoint.amenities.join('\n') === (values.amenities ?? []).join('\n')
      : isSameValue(waypoint[field], values[field])
  return (
    !isMoved(waypoint, values) &&
    importedFields.every((field) => isSame(field) || (closed.has(field) && isCleared(waypoint, field)))
  )
}

/** A row that is new here: fills in fields that are absent, except closed ones. */
function mergedLink(waypoint: WaypointState, values: ImportedValues, closed: ClosedFields): Merge {
  const open = rememberedValues(values, closed)
  const missing = optionalFields.filter((field) => open[field] !== undefined && waypoint[field] === undefined)
  const amenities = mergedAmenities(waypoint.amenities, [], open.amenities ?? [])
  const properties = open.properties && membersInOrder({ ...open.properties, ...waypoint.properties })
  const patch: WaypointPatch = {
    ...(waypoint.name === '' && open.name !== undefined && { name: open.name }),
    ...Object.fromEntries(missing.map((field) => [field, values[field]])),
    ...(properties !== undefined && !isSameValue(properties, waypoint.properties) && { properties }),
    ...(amenities.length > waypoint.amenities.length && { amenities }),
  }
  // Existing names and texts are never replaced by another source's.
  const withheld = withheldFields(waypoint, values, closed).filter(
    (field) => field !== 'name' && (field === 'amenities' || waypoint[field] === undefined),
  )
  return { kind: 'linked', patch, conflicts: [], withheld }
}

/** Takes over what changed at the source and not here; other changes conflict, but amenities never do. */
export function mergedAgain(
  waypoint: WaypointState,
  before: RememberedValues,
  now: ImportedValues,
  closed: ClosedFields,
): Merge {
  if (waypoint.deletedAt !== undefined) return { kind: 'deleted', patch: {}, conflicts: [], withheld: [] }
  const patch: WaypointPatch = {}
  const conflicts: Conflict[] = []
  for (const field of ['name', ...optionalFields] as const) {
    // A source that has no name leaves the one that is here.
    if (field === 'properties' || (field === 'name' && now.name === '')) continue
    if (closed.has(field) || now[field] === before[field] || now[field] === waypoint[field]) continue
    if (waypoint[field] === before[field]) Object.assign(patch, { [field]: now[field] ?? null })
    else conflicts.push({ field, here: waypoint[field] ?? null, there: now[field] ?? null })
  }
  if (!closed.has('properties') && !isSameValue(before.properties, now.properties)) {
    const merged = mergedProperties(waypoint.properties ?? {}, before.properties ?? {}, now.properties ?? {})
    if (!isSameValue(merged.properties, waypoint.properties ?? null))
      Object.assign(patch, { properties: merged.properties })
    conflicts.push(...merged.conflicts)
  }
  if (!closed.has('latitude') && isMoved(before, now) && isMoved(waypoint, now)) {
    if (!isMoved(waypoint, before)) Object.assign(patch, { latitude: now.latitude, longitude: now.longitude })
    else
      conflicts.push({
        field: 'position',
        here: [waypoint.longitude, waypoint.latitude],
        there: [now.longitude, now.latitude],
      })
  }
  const amenities = mergedAmenities(waypoint.amenities, before.amenities ?? [], now.amenities ?? [])
  if (!closed.has('amenities') && amenities.join('\n') !== waypoint.amenities.join('\n'))
    Object.assign(patch, { amenities })
  const kind = Object.keys(patch).length > 0 ? 'updated' : conflicts.length > 0 ? 'conflict' : 'unchanged'
  return { kind, patch, conflicts, withheld: withheldFields(waypoint, now, closed) }
}

function isMoved(
  a: Pick<RememberedValues, 'latitude' | 'longitude'>,
  b: Pick<RememberedValues, 'latitude' | 'longitude'>,
): boolean {
  return a.latitude !== b.latitude || a.longitude !== b.longitude
}
