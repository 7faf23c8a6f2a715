import type { Edition } from './edition.ts'
import type { SourceRecord } from './snapshot.ts'
import type { Origin } from '../licences/clearance.ts'

/** Where the waypoints of an edition came from. */
export interface Survey {
  /** The sources that the waypoints name, with how many name them, by ascending id. */
  readonly sources: readonly SourceRecord[]
  /** Waypoints that were contributed to the registry itself. */
  readonly contributed: number
}

/** Counts the waypoints of an edition by source, in one pass that turns the event loop now and then. */
export async function surveyOf(edition: Edition): Promise<Survey> {
  const counts = new Map<number, number>()
  let contributed = 0
  let seen = 0
  for (const { sources } of edition.waypoints()) {
    if (sources.length === 0) contributed += 1
    for (const id of new Set(sources.map((link) => link.sourceId))) counts.set(id, (counts.get(id) ?? 0) + 1)
    seen += 1
    if (seen % 2000 === 0) await new Promise(setImmediate)
  }
  const sources: SourceRecord[] = []
  for (const source of edition.sources) {
    const waypoints = counts.get(source.id)
    if (waypoints !== undefined) sources.push({ ...source, waypoints })
  }
  return { sources, contributed }
}

/**
 * All that is published, for its licences to be cleared: the sources, and the registry itself, whose people,
 * reviews, log and corrections are in every export.
 */
export function originsOf({ publisher }: Edition, { sources, contributed }: Survey): Origin[] {
  return [
    {
      name: `contributions to ${publisher.name}`,
      license: publisher.license,
      waypoints: contributed,
    },
    ...sources.map(({ name, license, waypoints }) => ({ name, license, waypoints })),
  ]
}
