import { expect } from 'vitest'
import type { Registry, Waypoint, WaypointSource } from '@openfountain/core'
import type { ImportReport } from '../../src/import/index.ts'
import { isReference } from '../../src/import/match/matching.ts'
import type { RealFile } from './real-fountains.ts'

/** Expects that an import into an empty registry counted what is pinned, and made the pinned fountains. */
export async function expectPinned(
  registry: Registry,
  report: ImportReport,
  { counts, fountains, says, where }: Omit<RealFile, 'file' | 'map'>,
): Promise<void> {
  const { rows, created, leftOut, duplicates, refused } = report.counts
  expect([rows, created, leftOut, duplicates, refused]).toEqual(counts)
  expect(report.counts.doubtful + report.counts.matched).toBe(0)
  expect(rows).toBe(created + leftOut + duplicates + refused)
  expect(fountains).toHaveLength(5)
  const listed = await listedIn(registry)
  const byRef = refsOf(listed)
  for (const [ref, latitude, longitude, name, amenities] of fountains) {
    const found = byRef.get(ref)
    expect(
      found && [found.latitude.toFixed(5), found.longitude.toFixed(5), found.name, found.amenities.join(' ')],
    ).toEqual([latitude.toFixed(5), longitude.toFixed(5), name, amenities])
  }
  expect({ says: saysOf(listed), where: await whereOf(registry) }).toEqual({ says, where })
  expect((await registry.changes.verify()).ok).toBe(true)
}

interface Listed {
  readonly waypoint: Waypoint
  readonly sources: readonly WaypointSource[]
}

async function listedIn(registry: Registry): Promise<Listed[]> {
  const found: Listed[] = []
  for await (const waypoint of registry.waypoints.each())
    found.push({ waypoint, sources: await registry.waypoints.sources(waypoint.id) })
  return found
}

/** The waypoints by the references that their sources have for them. */
export async function waypointsByRef(registry: Registry): Promise<Map<string, Waypoint>> {
  return refsOf(await listedIn(registry))
}

function refsOf(listed: readonly Listed[]): Map<string, Waypoint> {
  const found = new Map<string, Waypoint>()
  for (const { waypoint, sources } of listed)
    for (const { ref } of sources)
      if (ref !== undefined) found.set(isReference(ref) ? ref : placeOf(waypoint), waypoint)
  return found
}

/** The place that a reference stands for; the reference itself differs from registry to registry. */
function placeOf({ latitude, longitude }: Waypoint): string {
  return `geo:${latitude.toFixed(5)},${longitude.toFixed(5)}`
}

/** How many fountains have which state, which days, hours and a season, as `82 broken, 5 off, 87 since`. */
function saysOf(listed: readonly Listed[]): string {
  const words = listed.flatMap(({ waypoint, sources: [source] }) => {
    const { state, checked, updated, since, until } = source ?? {}
    const { openingHours, season } = waypoint
    const given = Object.entries({ checked, updated, since, until, openingHours, season })
    return [state ?? [], ...given.flatMap(([name, value]) => (value === undefined ? [] : name))].flat()
  })
  return counted(words)
    .map(([word, count]) => `${count} ${word}`)
    .join(', ')
}

/** The countries and the regions, with the names and numbers of the largest: `FR 1201; 28 regions, Paris 127`. */
async function whereOf(registry: Registry): Promise<string> {
  const snapshot = await registry.snapshot()
  const records = [...snapshot.records()]
  snapshot.close()
  const countries = counted(records.map(({ place }) => place?.country ?? 'none'))
  const regions = counted(records.flatMap(({ region }) => region ?? []))
  const [largest] = regions
  const named = largest === undefined ? '' : `, ${largest[0]} ${largest[1]}`
  return `${countries.map((country) => country.join(' ')).join(', ')}; ${regions.length} regions${named}`
}

function counted(words: readonly string[]): (readonly [word: string, count: number])[] {
  const counts = [...Map.groupBy(words, (word) => word)].map(([word, all]) => [word, all.length] as const)
  return counts.toSorted(([one, n], [other, m]) => m - n || (one < other ? -1 : 1))
}
