import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { attributionLine, type Attribution } from '@openfountain/core'
import { attributionsOf, creditOf } from '@openfountain/core/internal'
import { Acts, type ModerationAct, type Referred } from './acts.ts'
import { activityCollector, type Activity } from './activity.ts'
import type { Nameable } from '../naming.ts'
import { readEntries } from './entries.ts'
import { nameIn, type ExportFolder } from './folder.ts'
import { Knowledge, type StatedRow } from './knowledge.ts'
import { neighbourhood, type Neighbour } from './neighbours.ts'
import { ExportFolderError, explain } from './problem.ts'
import { Area, Contributor, type LogLine, ReferredLine, Review, Source, Totals, Waypoint } from './records.ts'
import type { BuildCache } from '../build/build-cache.ts'
import type { Row } from './row.ts'
import { readRows } from './rows.ts'
import { mostRecentlyChanged, type Candidate } from './selection.ts'
import { readLines, readMembers, type InvalidRecord } from './stream.ts'
import type { Region } from './region.ts'
import { surveyCollector, type Survey } from './survey.ts'
import type { Stages } from '../status/stage.ts'

/** The data of all pages, read from an export folder. */
export interface RegistryData {
  readonly folder: ExportFolder
  readonly totals: Totals
  readonly survey: Survey
  /** The waypoints with a page, most recently changed first. */
  readonly waypoints: readonly Waypoint[]
  /** Merged waypoints whose targets still exist, by id, with the targets. */
  readonly merged: ReadonlyMap<number, number>
  readonly activity: Activity
  /** The latest acts of moderators and the operator, newest first. */
  readonly acts: readonly ModerationAct[]
  /** Every contributor by id. */
  readonly contributors: ReadonlyMap<string, Contributor>
  readonly sources: readonly CreditedSource[]
  /** Attribution of the data. */
  readonly attributions: readonly Attribution[]
  /** The same in one line of text. */
  readonly credit: string
  readonly areas: readonly Area[]
  /** The stages of a waypoint's status from the day of the data on; empty when its status is unknown. */
  stagesOf(row: StatedRow): Stages
  /** The region that a waypoint belongs to. */
  regionOf(waypoint: Waypoint): Region | undefined
  /** The nearest waypoints with a page, nearest first, within 5 km. */
  nearest(of: Waypoint, most: number): readonly Neighbour[]
  /** Whether a waypoint gets a page. */
  hasPage(waypointId: number): boolean
  /**
   * The inputs of a waypoint's title; of a deleted one, or one without a page, its name when a recent change has it.
   */
  named(waypointId: number): Nameable | undefined
}

/** A source with its attribution name. */
export type CreditedSource = Source & { readonly credit: string }

/** The result of one pass over all waypoints of an export. */
export interface WaypointSurvey {
  readonly survey: Survey
  /** The most recently changed waypoints, newest first, at most as many as were asked for. */
  readonly newest: readonly Candidate[]
}

export interface LoadOptions {
  /** The number of waypoints that get a page, the last changed ones. */
  readonly limit: number
  /** The number of merged waypoints that get a page leading to their target; default `limit`. */
  readonly mergedLimit?: number
  /** An earlier survey with at least `limit` waypoints; else they are read. */
  readonly read?: WaypointSurvey
  /** That of the build; default none. */
  readonly cache?: BuildCache
  /** Called with each record that does not match its schema, which is left out; without it the first is thrown. */
  onInvalid?: (record: InvalidRecord) => void
  onProgress?(step: 'waypoints' | 'changes' | 'reviews' | 'contributors', done: number): void
}

export interface SurveyOptions extends Pick<LoadOptions, 'limit' | 'cache' | 'onInvalid' | 'onProgress'> {
  /** Called with each waypoint. */
  onWaypoint?: (waypoint: Row) => void
}

const progressEvery = 10_000

/**
 * Reads an export folder in one pass per file. Memory grows with `limit` and the number of contributors; with the
 * number of waypoints only by three numbers for each listing by a source and by the facts about their status.
 *
 * @throws {ExportFolderError} naming file, line and field where the content does not match the schema.
 */
export async function loadRegistry(folder: ExportFolder, options: LoadOptions): Promise<RegistryData> {
  const { onInvalid, limit, mergedLimit = limit } = options
  const file = (name: string): string => join(folder.directory, nameIn(folder.registryFolder, name))
  const totals = await readTotals(folder)
  const { survey, newest } = options.read ?? (await surveyWaypoints(folder, options))
  const waypoints = newest.slice(0, limit).map(({ whole }) => whole())
  const ids = new Set(waypoints.map(({ id }) => id))

  const activity = activityCollector(ids)
  const acts = new Acts()
  const knowledge = new Knowledge()
  let done = 0
  for await (const entries of readEntries(file('changes.ndjson.gz'), options.cache)) {
    for (const entry of entries) {
      activity.entry(entry)
      acts.add(entry)
      knowledge.entry(entry)
      done += 1
      if (done % progressEvery === 0) options.onProgress?.('changes', done)
    }
  }
  for await (const review of readMembers(file('reviews.json'), 'reviews', Review, onInvalid))
    activity.review(review)
  options.onProgress?.('reviews', totals.total_reviews)

  const contributors = new Map<string, Contributor>()
  for await (const person of readMembers(file('contributors.json'), 'contributors', Contributor, onInvalid))
    contributors.set(person.id, person)
  options.onProgress?.('contributors', contributors.size)

  const happened = activity.result()
  const merged = happened.merged(mergedLimit)
  const names = new Map<number, Nameable>(waypoints.map((waypoint) => [waypoint.id, waypoint]))
  const sources = (await readSources(folder)).map((source) => ({
    ...source,
    credit: creditOf(source).name,
    consentsTo: source.consents_to ?? undefined,
  }))
  const attributions = attributionsOf({
    publisher: folder.registry,
    contributed: survey.contributed > 0 || totals.total_reviews > 0,
    sources: sources
      .filter(({ waypoints }) => waypoints !== 0)
      .map((source) => ({ ...source, lastImport: source.last_import })),
  })
  const named = [
    ...happened.recent.flatMap(({ waypointId, mergedInto = waypointId }) => [waypointId, mergedInto]),
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
    activity: happened,
    acts: acts.result(referred),
    contributors,
    sources,
    attributions,
    credit: attributionLine(attributions),
    areas: await readAreas(folder, onInvalid),
    stagesOf: (row) => knowledge.stagesOf(row, folder.dataTime.slice(0, 10)),
    regionOf: (waypoint) => survey.regionOf(waypoint),
    nearest: neighbourhood(waypoints),
    hasPage: (waypointId) => ids.has(waypointId),
    named: (waypointId) => names.get(waypointId),
  }
}

/** The totals of the registry from its export. */
export function readTotals({ directory, registryFolder }: ExportFolder): Promise<Totals> {
  return readObject(join(directory, nameIn(registryFolder, 'stats.json')), Totals)
}

/** The sources of all parts by id; each with its waypoints in all of them. */
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

/**
 * Reads all waypoints of an export once, and selects the `limit` last changed ones.
 *
 * @throws {ExportFolderError} naming file, line and field where the content does not match the schema.
 */
export async function surveyWaypoints(
  folder: ExportFolder,
  { limit, onWaypoint, onProgress, onInvalid, cache }: SurveyOptions,
): Promise<WaypointSurvey> {
  const survey = surveyCollector(folder.dataTime)
  const selection = mostRecentlyChanged(limit)
  let done = 0
  for (const { folder: part } of folder.parts) {
    const file = join(folder.directory, nameIn(part, 'waypoints.ndjson.gz'))
    for await (const rows of readRows(file, cache, onInvalid)) {
      for (const { row, whole } of rows) {
        survey.add(row)
        selection.add(row, () => {
          const { id, latitude, longitude, updated_at } = row
          return { id, latitude, longitude, updated_at, whole: whole() }
        })
        onWaypoint?.(row)
      }
      const before = done
      done += rows.length
      if (Math.floor(before / progressEvery) < Math.floor(done / progressEvery))
        onProgress?.('waypoints', done)
    }
  }
  onProgress?.('waypoints', done)
  return { survey: survey.result(), newest: selection.result() }
}

/** The ids of an entry and of its subject at the beginning of its line, as exports write it. */
const beginning = /^\{"id":(\d+),"at":"[^"]*","by":"[^"]*","subject":"[a-z]+","subjectId":(\d*)/u

/**
 * Reads further entries of the log: the last names of waypoints without a page, and the entries that acts of moderation
 * refer to.
 */
async function readReferred(
  file: string,
  wanted: {
    readonly waypoints: ReadonlySet<number>
    readonly entries: ReadonlySet<number>
    readonly reviews: ReadonlySet<number>
  },
): Promise<Referred & { readonly names: ReadonlyMap<number, string> }> {
  const names = new Map<number, string>()
  const entries = new Map<number, Pick<LogLine, 'by' | 'subject' | 'subjectId'>>()
  const reviews = new Map<number, { readonly waypointId: number; readonly userId: string }>()
  if (Object.values(wanted).every(({ size }) => size === 0)) return { names, entries, reviews }
  // All lines were validated in the first reading.
  const isWanted = (line: string): boolean => {
    const [, id, subjectId] = beginning.exec(line) ?? []
    if (id === undefined) return true
    const subject = Number(subjectId)
    return wanted.entries.has(Number(id)) || wanted.waypoints.has(subject) || wanted.reviews.has(subject)
  }
  for await (const line of readLines(file, ReferredLine, undefined, isWanted)) {
    const { id, by, subject, subjectId, action, fields } = line
    if (wanted.entries.has(id)) entries.set(id, { by, subject, subjectId })
    if (typeof subjectId !== 'number') continue
    const { name, waypoint } = fields
    if (subject === 'waypoint' && wanted.waypoints.has(subjectId) && typeof name === 'string')
      names.set(subjectId, name)
    if (subject !== 'review' || !wanted.reviews.has(subjectId) || typeof waypoint !== 'number') continue
    const userId = action === 'created' ? by : (reviews.get(subjectId)?.userId ?? by)
    reviews.set(subjectId, { waypointId: waypoint, userId })
  }
  return { names, entries, reviews }
}

async function readAreas(
  folder: ExportFolder,
  onInvalid?: (record: InvalidRecord) => void,
): Promise<readonly Area[]> {
  const name = nameIn(folder.registryFolder, 'areas.geojson')
  if (!folder.files.some((one) => one.name === name)) return []
  const file = join(folder.directory, name)
  const areas: Area[] = []
  for await (const area of readMembers(file, 'features', Area, onInvalid))
    if (area.properties.active !== false) areas.push(area)
  return areas
}

async function readObject<Shape>(file: string, schema: z.ZodType<Shape>): Promise<Shape> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new ExportFolderError({ code: 'UNREADABLE_FILE', file, reason: explain(error) })
  })
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    throw new ExportFolderError({ code: 'NOT_JSON', file, reason: explain(error) })
  }
  const parsed = schema.safeParse(json)
  if (!parsed.success)
    throw new ExportFolderError({ code: 'INVALID_RECORD', file, reason: explain(parsed.error) })
  return parsed.data
}
