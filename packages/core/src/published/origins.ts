import type { Source } from '../schemas/source.ts'
import type { Statistics } from '../schemas/statistics.ts'
import type { PageTemplate, RecordPage } from '../snapshot.ts'

/** Where waypoints came from. */
export interface OriginCounts {
  /** The sources that the waypoints name, with how many name them, by ascending id. */
  readonly sources: readonly Source[]
  /** Waypoints that were contributed to the registry itself. */
  readonly contributed: number
}

/** The ids of a waypoint's sources on a line of its own. */
const lineOfSources: PageTemplate = { record: [{ ofSources: (ids) => `${ids.join(' ')}\n` }] }

/**
 * Counts waypoints by source, in one pass that yields to the event loop after each page.
 *
 * @param pages returns the pages of the waypoints for a template
 * @param sources the sources of the registry
 */
export async function countOrigins(
  pages: (template: PageTemplate) => Iterable<RecordPage>,
  sources: readonly Source[],
): Promise<OriginCounts> {
  const lines = new Map<string, number>()
  for (const { bytes } of pages(lineOfSources)) {
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
  const named = sources.flatMap((source) => {
    const waypoints = counts.get(source.id)
    return waypoints === undefined ? [] : [{ ...source, waypoints }]
  })
  return { sources: named, contributed: lines.get('') ?? 0 }
}

const utf8 = new TextDecoder()

/**
 * Whether the registry itself may have been contributed to, as far as the counts say. Only a registry whose one source
 * has every waypoint is known to hold nothing else without reading the waypoints.
 */
export function mayHaveContributions(
  { totalWaypoints, totalReviews }: Pick<Statistics, 'totalWaypoints' | 'totalReviews'>,
  sources: readonly Source[],
): boolean {
  const [first, ...others] = sources.filter(({ waypoints }) => waypoints > 0)
  if (first === undefined || others.length > 0) return true
  return first.waypoints < totalWaypoints || totalReviews > 0
}
