import { attributionsOf } from '@openfountain/core/internal'
import type { Edition } from './edition.ts'
import type { Publisher } from './publisher.ts'
import type { SourceRecord } from './snapshot.ts'
import type { Origin } from '../licences/clearance.ts'

/** Where the waypoints of an edition came from. */
export interface Survey {
  /** The sources that the waypoints name, with how many name them, by ascending id. */
  readonly sources: readonly SourceRecord[]
  /** Waypoints that were contributed to the registry itself. */
  readonly contributed: number
}

/** The ids of a waypoint's sources on a line of its own. */
const lineOfSources = { record: [{ ofSources: (ids: readonly number[]) => `${ids.join(' ')}\n` }] }

/** Counts the waypoints of an edition by source, in one pass that turns the event loop now and then. */
export async function surveyOf(edition: Edition): Promise<Survey> {
  const lines = new Map<string, number>()
  for (const { bytes } of edition.pages(lineOfSources)) {
    for (const line of utf8.decode(bytes).split('\n')) lines.set(line, (lines.get(line) ?? 0) + 1)
    // What stands after the last line.
    lines.set('', (lines.get('') ?? 0) - 1)
    await new Promise(setImmediate)
  }
  const counts = new Map<number, number>()
  for (const [line, waypoints] of lines) {
    const ids = line === '' ? [] : line.split(' ').map(Number)
    for (const id of new Set(ids)) counts.set(id, (counts.get(id) ?? 0) + waypoints)
  }
  const sources: SourceRecord[] = []
  for (const source of edition.sources) {
    const waypoints = counts.get(source.id)
    if (waypoints !== undefined) sources.push({ ...source, waypoints })
  }
  return { sources, contributed: lines.get('') ?? 0 }
}

const utf8 = new TextDecoder()

/** How an export names what people contributed to the registry itself, among its sources. */
export const contributionsTo = (registry: string): string => `contributions to ${registry}`

/**
 * The edition with the credit of what a survey found in it. The publisher is named where people added waypoints or,
 * in an export that holds them, reviews.
 *
 * @param reviews reviews in the export
 */
export function creditedBy(edition: Edition, { sources, contributed }: Survey, reviews: number): Edition {
  const { publisher } = edition
  const attributions = attributionsOf({ publisher, contributed: contributed > 0 || reviews > 0, sources })
  return { ...edition, attributions }
}

/** The edition, which holds no reviews, with the credit of those whose waypoints are in it; reads them once. */
export async function credited(edition: Edition): Promise<Edition> {
  return creditedBy(edition, await surveyOf(edition), 0)
}

/**
 * All that is published, for its licences to be cleared: the sources that waypoints came from, and the registry
 * itself where people added waypoints or, in an export that holds them, reviews. What people corrected goes out under
 * the licence of the corrected record.
 *
 * @param reviews reviews in the export
 */
export function originsOf(
  { publisher }: Edition,
  { sources, contributed }: Survey,
  reviews: number,
): Origin[] {
  const own = contributed > 0 || reviews > 0 ? [ownOrigin(publisher, contributed, reviews)] : []
  return [...own, ...sources.map(({ name, license, waypoints }) => ({ name, license, waypoints }))]
}

function ownOrigin({ name, license }: Publisher, waypoints: number, reviews: number): Origin {
  return { name: contributionsTo(name), license, waypoints, reviews, own: true }
}

/** The origins of the registry that no waypoint or review of the export came from, but perhaps a deleted one. */
export function formerOrigins({ publisher, sources }: Edition, present: readonly Origin[]): Origin[] {
  const names = new Set(present.map(({ name }) => name))
  const all = [
    ownOrigin(publisher, 0, 0),
    ...sources.map(({ name, license }) => ({ name, license, waypoints: 0 })),
  ]
  return all.filter(({ name }) => !names.has(name))
}
