import { readFile } from 'node:fs/promises'
import type { PlaceLookup, WaypointPlace } from '@openfountain/core'
import { invalid } from '@openfountain/core/internal'
import Flatbush from 'flatbush'
import { z } from 'zod'

const Name = z.string({ error: 'is required' }).trim().min(1).max(200).normalize('NFC')
const Code = z.string().trim().toUpperCase()

const Vertex = z.tuple([z.number().min(-180).max(180), z.number().min(-90).max(90)], z.unknown())
const RingsOf = z.array(z.array(Vertex).min(4)).min(1)

/** Names of a boundary's properties; those of OpenStreetMap are among them. */
const names = {
  name: ['name'],
  level: ['level', 'admin_level'],
  country: ['country', 'ISO3166-1', 'ISO3166-1:alpha2'],
  subdivision: ['subdivision', 'ISO3166-2'],
} as const

const Properties = z.preprocess(
  (given) => {
    if (typeof given !== 'object' || given === null) return given
    const properties = given as Readonly<Record<string, unknown>>
    return Object.fromEntries(
      Object.entries(names).map(([member, keys]) => [
        member,
        keys.map((key) => properties[key]).find((value) => value !== undefined && value !== null),
      ]),
    )
  },
  z.object({
    name: Name,
    level: z.coerce.number({ error: 'must be a number' }).default(0),
    country: Code.regex(/^[A-Z]{2}$/u, { error: 'must be two letters of ISO 3166-1' }).optional(),
    subdivision: Code.regex(/^[A-Z]{2}-[A-Z0-9]{1,3}$/u, {
      error: 'must be a code of ISO 3166-2, such as IT-62',
    }).optional(),
  }),
)

const Boundary = z.object({
  type: z.literal('Feature', { error: 'must be Feature' }),
  properties: Properties,
  geometry: z.discriminatedUnion(
    'type',
    [
      z.object({ type: z.literal('Polygon'), coordinates: RingsOf }),
      z.object({ type: z.literal('MultiPolygon'), coordinates: z.array(RingsOf).min(1) }),
    ],
    { error: 'must be a Polygon or a MultiPolygon, such as the boundary of a town' },
  ),
})

/** A polygon of a boundary: its rings are closed, the first its outside, the others its holes. */
interface BoundaryPolygon extends z.output<typeof Properties> {
  readonly rings: z.output<typeof RingsOf>
}

export interface Boundaries {
  readonly places: number
  readonly lookup: PlaceLookup
}

function wrong(where: string, { issues }: z.ZodError): Error {
  const [issue] = issues
  return invalid([where, ...(issue?.path ?? []).map(String)].join('.'), issue?.message ?? 'cannot be used')
}

function boundariesIn(feature: unknown, where: string): BoundaryPolygon[] {
  const parsed = Boundary.safeParse(feature)
  if (!parsed.success) throw wrong(where, parsed.error)
  const { properties, geometry } = parsed.data
  const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates
  return polygons.map((rings) => ({ ...properties, rings }))
}

function placeOf(around: readonly BoundaryPolygon[]): WaypointPlace | undefined {
  const smallestFirst = around.toSorted((a, b) => b.level - a.level)
  const name = smallestFirst[0]?.name
  if (name === undefined) return undefined
  const subdivision = smallestFirst.find((each) => each.subdivision !== undefined)?.subdivision
  const country =
    smallestFirst.find((each) => each.country !== undefined)?.country ?? subdivision?.slice(0, 2)
  return {
    ...(country !== undefined && { country }),
    ...(subdivision !== undefined && { subdivision }),
    name,
  }
}

/**
 * Boundaries as GeoJSON: polygons, each with a `name` and, where they lie in one another, a `level`, which is greater
 * for smaller places, as `admin_level` of OpenStreetMap is. `country` (ISO 3166-1, or `ISO3166-1`) and `subdivision`
 * (ISO 3166-2, or `ISO3166-2`) are the codes.
 *
 * @param text the text of a FeatureCollection
 * @param file its name in errors
 * @throws RegistryError INVALID_INPUT with the path of the wrong member
 */
export function parseBoundaries(text: string, file: string): Boundaries {
  let collection: unknown
  try {
    collection = JSON.parse(text)
  } catch {
    throw invalid(file, 'is not JSON: give boundaries as a GeoJSON FeatureCollection')
  }
  const { data } = z.object({ features: z.array(z.unknown()).min(1) }).safeParse(collection)
  if (data === undefined)
    throw invalid(file, 'has no features: give boundaries as a GeoJSON FeatureCollection')
  const known = data.features.flatMap((feature, index) => boundariesIn(feature, `${file}.features.${index}`))
  const around = polygonsAround(known.map(({ rings }) => rings))
  return {
    places: data.features.length,
    lookup: ({ longitude, latitude }) =>
      placeOf(around(longitude, latitude).flatMap((polygon) => known[polygon] ?? [])),
  }
}

/** Returns a function that finds the polygons around a point, by ascending number. Of two that share an edge, a point on it is in one. */
function polygonsAround(polygons: readonly BoundaryPolygon['rings'][]) {
  /** Longitude and latitude of the start and the end of each edge, and its polygon. */
  const edges = polygons.flatMap((rings, polygon) =>
    rings.flatMap((ring) =>
      ring.slice(1).map(([toX, toY], at) => {
        const [fromX, fromY] = ring[at] ?? [toX, toY]
        return [fromX, fromY, toX, toY, polygon] as const
      }),
    ),
  )
  const index = new Flatbush(edges.length)
  for (const [fromX, fromY, toX, toY] of edges)
    index.add(Math.min(fromX, toX), Math.min(fromY, toY), Math.max(fromX, toX), Math.max(fromY, toY))
  index.finish()
  return (longitude: number, latitude: number): number[] => {
    // From inside a polygon, a ray to the east crosses its edges an odd number of times.
    const inside = new Set<number>()
    for (const edge of index.search(longitude, latitude, Number.POSITIVE_INFINITY, latitude)) {
      const [fromX, fromY, toX, toY, polygon] = edges[edge] ?? [0, 0, 0, 0, 0]
      if (fromY > latitude === toY > latitude) continue
      const crossing = fromX + ((latitude - fromY) / (toY - fromY)) * (toX - fromX)
      if (longitude < crossing && !inside.delete(polygon)) inside.add(polygon)
    }
    return [...inside].toSorted((one, other) => one - other)
  }
}

/** Reads boundaries from a file. @throws RegistryError INVALID_INPUT; errors of the file system */
export async function readBoundaries(file: string): Promise<Boundaries> {
  return parseBoundaries(await readFile(file, 'utf8'), file)
}
