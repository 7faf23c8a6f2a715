import { expect } from 'vitest'
import type { Registry, Waypoint } from '@openfountain/core'
import type { ImportReport } from '../../src/import/index.ts'
import { isReference } from '../../src/import/match/matching.ts'
import type { RealFile } from './real-fountains.ts'

/** Expects that an import into an empty registry counted what is pinned, and made the pinned fountains. */
export async function expectPinned(
  registry: Registry,
  report: ImportReport,
  { counts, fountains }: Pick<RealFile, 'counts' | 'fountains'>,
): Promise<void> {
  const { rows, created, leftOut, duplicates, refused } = report.counts
  expect([rows, created, leftOut, duplicates, refused]).toEqual(counts)
  expect(report.counts.doubtful + report.counts.matched).toBe(0)
  expect(rows).toBe(created + leftOut + duplicates + refused)
  expect(fountains).toHaveLength(5)
  const byRef = await waypointsByRef(registry)
  for (const [ref, latitude, longitude, name, amenities] of fountains) {
    const found = byRef.get(ref)
    expect(
      found && [found.latitude.toFixed(5), found.longitude.toFixed(5), found.name, found.amenities.join(' ')],
    ).toEqual([latitude.toFixed(5), longitude.toFixed(5), name, amenities])
  }
  expect((await registry.changes.verify()).ok).toBe(true)
}

/** The waypoints by the references that their sources have for them. */
export async function waypointsByRef(registry: Registry): Promise<Map<string, Waypoint>> {
  const found = new Map<string, Waypoint>()
  for (const waypoint of await registry.waypoints.list()) {
    for (const { ref } of await registry.waypoints.sources(waypoint.id))
      if (ref !== undefined) found.set(isReference(ref) ? ref : placeOf(waypoint), waypoint)
  }
  return found
}

/** The place that a reference stands for; the reference itself differs from registry to registry. */
function placeOf({ latitude, longitude }: Waypoint): string {
  return `geo:${latitude.toFixed(5)},${longitude.toFixed(5)}`
}
