import { join } from 'node:path'
import { z } from 'zod'
import { attributionLine, type Attribution } from '@openfountain/core'
import { attributionsOf, creditOf } from '@openfountain/core/internal'
import { Acts, partKey, type ModerationAct, type Referred } from './acts.ts'
import { Activity } from './activity.ts'
import type { Nameable } from '../naming.ts'
import { bundledGazetteer } from '../places/gazetteer.ts'
import { streetIn } from '../places/street.ts'
import { nameIn, type ExportFolder } from './folder.ts'
import { Knowledge, type StatedRow } from './knowledge.ts'
import { neighbourhood, type Neighbour } from './neighbours.ts'
import { creditsOf, readPhotos, shownPhoto, type PhotosByWaypoint } from './photos.ts'
import { Area, Contributor, LogLine, Review, Source, Totals, Waypoint } from './records.ts'
import { readLines, readMembers, readObject, type OnInvalid } from './stream.ts'
import type { Region } from './region.ts'
import { rowCollector, type Row } from './row.ts'
import type { ShownPhoto } from '../photo.ts'
import { surveyOf, type Survey } from './survey.ts'
import type { Stages } from '../status/stage.ts'

export interface RegistryData {
  readonly folder: ExportFolder
  readonly totals: Totals
  readonly survey: Survey
  /** The waypoints with a page, most recently changed first. */
  readonly waypoints: readonly Waypoint[]
  readonly merged: ReadonlyMap<number, number>
  readonly activity: Activity
  /** The latest acts of moderators and the operator, newest first. */
  readonly acts: readonly ModerationAct[]
  readonly contributors: ReadonlyMap<string, Contributor>
  readonly sources: readonly CreditedSource[]
  readonly attributions: readonly Attribution[]
  /** The same in one line of text. */
  readonly credit: string
  readonly areas: readonly Area[]
  /** The stages of a waypoint's status from the day of the data on; empty when its status is unknown. */
  stagesOf(row: StatedRow): Stages
  regionOf(waypoint: Waypoint): Region | undefined
  /** The nearest waypoints with a page, nearest first, within 5 km. */
  nearest(of: Waypoint, most: number): readonly Neighbour[]
  readonly photoCredits: ReturnType<typeof creditsOf>
  photosOf(waypointId: number): readonly ShownPhoto[]
  hasPage(waypointId: number): boolean
  /** The inputs of a waypoint's title; of one without a page, its name in a recent change. */
  named(waypointId: number): Nameable | undefined
}

export interface CreditedSource extends Source {
  readonly credit: Attribution['parties'][number]
  readonly consentsTo: string | undefined
}

export interface WaypointSurvey {
  readonly survey: Survey
  readonly rows: readonly Row[]
  /** The most recently changed waypoints, newest first, at most as many as were asked for. */
  readonly newest: readonly Waypoint[]
  readonly photos: PhotosByWaypoint
}

export interface LoadOptions {
  /** The number of waypoints that get a page, the last changed ones. */
  readonly limit: number
  readonly mergedLimit?: number
  readonly read?: WaypointSurvey
  /** Called with each record that does not match its schema, which is left out; without it the first is thrown. */
  onInvalid?: OnInvalid
  onProgress?(step: 'waypoints' | 'changes' | 'reviews' | 'contributors', done: number): void
}

export interface SurveyOptions extends Pick<LoadOptions, 'limit' | 'onInvalid' | 'onProgress'> {
  streetAt?(waypoint: Waypoint): Promise<string | undefined>
}

const progressEvery = 10_000

/**
 * Reads an export folder. Memory grows with the waypoints, with the number of contributors and reviews, and with
 * the listings by sources, not with the log.
 *
 * @throws {ExportFolderError} naming file, line and field where the content does not match the schema.
 */
export async function loadRegistry(folder: ExportFolder, options: LoadOptions): Promise<RegistryData> {
  const { onInvalid, limit, mergedLimit = limit } = options
  const file = (name: string): string => join(folder.directory, nameIn(folder.registryFolder, name))
  const totals = await readTotals(folder)
  const { survey, newest, photos } = options.read ?? (await surveyWaypoints(folder, options))
  const waypoints = newest.slice(0, limit)
  const ids = new Set(waypoints.map(({ id }) => id))

  const activity = new Activity(ids)
  const acts = new Acts()
  const knowledge = new Knowledge()
  let done = 0
  for await (const entry of readLines(file('changes.ndjson.gz'), LogLine)) {
    activity.entry(entry)
    acts.add(entry)
    knowledge.entry(entry)
    done += 1
    if (done % progressEvery === 0) options.onProgress?.('changes', done)
  }
  for (const review of await readMembers(file('reviews.json'), 'reviews', Review, onInvalid))
    activity.review(review)
  options.onProgress?.('reviews', totals.total_reviews)

  const people = await readMembers(file('contributors.json'), 'contributors', Contributor, onInvalid)
  const contributors = new Map(people.map((person) => [person.id, person]))
  options.onProgress?.('contributors', contributors.size)

  const merged = activity.merged(mergedLimit)
  const names = new Map<number, Nameable>(waypoints.map((waypoint) => [waypoint.id, waypoint]))
  const sources = (await readSources(folder)).map((source) => ({
    ...source,
    credit: creditOf(source),
    consentsTo: source.consents_to ?? undefined,
  }))
  const attributions = attributionsOf({
    publisher: folder.registry,
    contributed: survey.contributed > 0 || totals.total_reviews > 0,
    sources: sources.filter(({ waypoints }) => waypoints !== 0),
  })
  const named = [
    ...activity.recent.flatMap(({ waypointId, mergedInto = waypointId }) => [waypointId, mergedInto]),
    ...[...merged].flat(),
    ...acts.waypointIds,
  ]
  const referred = await readReferred(file('changes.ndjson.gz'), {
    ...acts.referred,
    waypoints: new Set(named.filter((id) => !names.has(id))),
  })
  for (const [id, name] of referred.names) names.set(id, { name, amenities: [] })
  return {
    folder,
    totals,
    survey,
    waypoints,
    merged,
    activity,
    acts: acts.result(referred, (id) => activity.redacted(id)),
    contributors,
    sources,
    attributions,
    credit: attributionLine(attributions),
    areas: await readAreas(folder, onInvalid),
    stagesOf: (row) => knowledge.stagesOf(row, folder.dataTime.slice(0, 10)),
    regionOf: (waypoint) => survey.regionOf(waypoint),
    nearest: neighbourhood(waypoints),
    photoCredits: creditsOf(photos),
    photosOf: (waypointId) => photos.get(waypointId)?.map(shownPhoto) ?? [],
    hasPage: (waypointId) => ids.has(waypointId),
    named: (waypointId) => names.get(waypointId),
  }
}

export function readTotals({ directory, registryFolder }: ExportFolder): Promise<Totals> {
  return readObject(join(directory, nameIn(registryFolder, 'stats.json')), Totals)
}

async function readSources({ directory, parts }: ExportFolder): Promise<Source[]> {
  const found = new Map<number, Source>()
  for (const { folder } of parts) {
    const file = join(directory, nameIn(folder, 'sources.json'))
    const { sources } = await readObject(file, z.object({ sources: z.array(Source) }))
    for (const source of sources) {
      const elsewhere = found.get(source.id)?.waypoints
      const waypoints = elsewhere === undefined ? source.waypoints : elsewhere + (source.waypoints ?? 0)
      found.set(source.id, { ...source, ...(waypoints !== undefined && { waypoints }) })
    }
  }
  return [...found.values()].toSorted((one, other) => one.id - other.id)
}

/** Reads all waypoints once, and selects the `limit` last changed ones. @throws {ExportFolderError} naming file, line and field */
export async function surveyWaypoints(
  folder: ExportFolder,
  { limit, streetAt, onProgress, onInvalid }: SurveyOptions,
): Promise<WaypointSurvey> {
  const { rows, add } = rowCollector()
  const gazetteer = await bundledGazetteer()
  const photos = await readPhotos(folder, onInvalid)
  let held: Waypoint[] = []
  const newest = () => held.toSorted(newestFirst).slice(0, limit)
  let done = 0
  for (const { folder: part } of folder.parts) {
    const file = join(folder.directory, nameIn(part, 'waypoints.ndjson.gz'))
    for await (const line of readLines(file, Waypoint, onInvalid)) {
      const town = gazetteer.townAt(line, line.country ?? undefined, line.region ?? line.place ?? undefined)
      const street = streetIn(line) ?? (await streetAt?.(line))
      const [photo] = photos.get(line.id) ?? []
      const waypoint = {
        ...line,
        ...(town && { town }),
        ...(street !== undefined && { street }),
        ...(photo && { photo: shownPhoto(photo) }),
      }
      add(waypoint)
      held.push(waypoint)
      if (held.length > limit * 2 + 1000) held = newest()
      done += 1
      if (done % progressEvery === 0) onProgress?.('waypoints', done)
    }
  }
  onProgress?.('waypoints', done)
  return { rows, survey: surveyOf(rows, folder.dataTime), newest: newest(), photos }
}

const newestFirst = (a: Waypoint, b: Waypoint): number =>
  a.updated_at === b.updated_at ? b.id - a.id : a.updated_at < b.updated_at ? 1 : -1

/** Reads further entries of the log: last names of waypoints without a page, and what acts of moderation refer to. */
async function readReferred(
  file: string,
  wanted: {
    readonly waypoints: ReadonlySet<number>
    readonly entries: ReadonlySet<number>
    readonly parts: ReadonlySet<string>
  },
): Promise<Referred & { readonly names: ReadonlyMap<number, string> }> {
  const names = new Map<number, string>()
  const entries = new Map<number, Pick<LogLine, 'by' | 'subject' | 'subjectId'>>()
  const parts = new Map<string, { readonly waypointId: number; readonly userId: string }>()
  if (Object.values(wanted).every(({ size }) => size === 0)) return { names, entries, parts }
  for await (const entry of readLines(file, z.custom<LogLine>())) {
    const { id, by, subject, subjectId, action, fields } = entry
    if (wanted.entries.has(id)) entries.set(id, { by, subject, subjectId })
    if (typeof subjectId !== 'number') continue
    const { name, waypoint } = fields
    if (subject === 'waypoint' && wanted.waypoints.has(subjectId) && typeof name === 'string')
      names.set(subjectId, name)
    const part = partKey(entry)
    if (part === undefined || !wanted.parts.has(part) || typeof waypoint !== 'number') continue
    const userId = action === 'created' ? by : (parts.get(part)?.userId ?? by)
    parts.set(part, { waypointId: waypoint, userId })
  }
  return { names, entries, parts }
}

async function readAreas(folder: ExportFolder, onInvalid: OnInvalid | undefined): Promise<readonly Area[]> {
  const name = nameIn(folder.registryFolder, 'areas.geojson')
  if (!folder.files.some((one) => one.name === name)) return []
  const areas = await readMembers(join(folder.directory, name), 'features', Area, onInvalid)
  return areas.filter(({ properties }) => properties.active !== false)
}
