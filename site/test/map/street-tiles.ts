import { truncate } from 'node:fs/promises'
import { GeoJSONVT } from '@maplibre/geojson-vt'
import { fromGeojsonVt } from '@maplibre/vt-pbf'
import type { Feature, FeatureCollection, Geometry } from 'geojson'
import { zxyToTileId } from 'pmtiles'
import { type ArchiveDescription, writeArchive } from '../../../packages/exchange/src/export/tiles/archive.ts'
import { ZoomPart } from '../../../packages/exchange/src/export/tiles/zoom-part.ts'
import { square } from './town.ts'

/** West, south, east, north of the street map of the fictional town; the village in the east is beyond it. */
export const townBounds = [13.1, 55.66, 13.28, 55.75] as const

/** A lake of the town, where there is nothing else. */
export const lake = { latitude: 55.7105, longitude: 13.2 }

type Property = string | number
type Drawn = readonly [layer: string, feature: Feature]

const east = (metres: number): number => square.longitude + metres / 62_700
const north = (metres: number): number => square.latitude + metres / 111_300

function feature(layer: string, geometry: Geometry, properties: Readonly<Record<string, Property>>): Drawn {
  return [layer, { type: 'Feature', geometry, properties: { ...properties } }]
}

const point = (layer: string, x: number, y: number, properties: Readonly<Record<string, Property>>): Drawn =>
  feature(layer, { type: 'Point', coordinates: [east(x), north(y)] }, properties)

/** A rectangle by metres from the square. */
function block(
  layer: string,
  [left, bottom, right, top]: readonly [number, number, number, number],
  kind: string,
): Drawn {
  const corners = [
    [left, bottom],
    [right, bottom],
    [right, top],
    [left, top],
    [left, bottom],
  ] as const
  const ring = corners.map(([x, y]) => [east(x), north(y)])
  return feature(layer, { type: 'Polygon', coordinates: [ring] }, { kind })
}

function road(
  line: readonly (readonly [number, number])[],
  kind: string,
  names: Readonly<Record<string, Property>> = {},
): Drawn {
  const coordinates = line.map(([x, y]) => [east(x), north(y)])
  return feature('roads', { type: 'LineString', coordinates }, { kind, kind_detail: kind, ...names })
}

const streetNames = [
  'Lindgatan',
  'Kastanjegatan',
  'Brogatan',
  'Skolgatan',
  'Rosengatan',
  'Kvarngatan',
  'Torggatan',
]

/** A town that is nowhere, drawn for the tests: streets in a grid, houses, a park, a lake and a river. CC0. */
function drawTown(): Drawn[] {
  const [west, south, far, top] = townBounds
  const ground: Drawn = feature(
    'earth',
    {
      type: 'Polygon',
      coordinates: [
        [
          [west, south],
          [far, south],
          [far, top],
          [west, top],
          [west, south],
        ],
      ],
    },
    { kind: 'earth' },
  )
  const steps = Array.from({ length: 21 }, (_, step) => (step - 10) * 120)
  const streets = steps.flatMap((at, step) => {
    const name = streetNames[step % streetNames.length] ?? ''
    const names = { name, 'name:de': `${name.replace('gatan', '')}straße`, min_zoom: 12 }
    const kind = step % 5 === 0 ? 'major_road' : 'minor_road'
    return [
      road(
        [
          [at - 40, -1200],
          [at + 40, 1200],
        ],
        kind,
        { ...names, name: `Norra ${name}`, 'name:de': `Nord-${names['name:de']}` },
      ),
      road(
        [
          [-1200, at],
          [1200, at + 30],
        ],
        kind,
        names,
      ),
    ]
  })
  const houses = steps.slice(1).flatMap((x) =>
    steps.slice(1).flatMap((y) => {
      const isPark = x > 120 && x < 1000 && y > 240 && y < 1000
      if (isPark) return []
      return [
        block('buildings', [x - 90, y - 90, x - 50, y - 55], 'building'),
        block('buildings', [x - 45, y - 50, x - 25, y - 25], 'building'),
      ]
    }),
  )
  return [
    ground,
    block('landuse', [150, 250, 1000, 1000], 'park'),
    block('water', [350, 400, 900, 850], 'lake'),
    feature(
      'water',
      {
        type: 'LineString',
        coordinates: [
          [east(-1300), north(-700)],
          [east(0), north(-560)],
          [east(1300), north(-760)],
        ],
      },
      { kind: 'river', name: 'Lindån' },
    ),
    ...streets,
    road(
      [
        [200, 300],
        [600, 360],
        [980, 300],
        [940, 950],
      ],
      'path',
      { name: 'Sjöstigen', min_zoom: 14 },
    ),
    ...houses,
    point('places', 0, -40, {
      kind: 'locality',
      name: 'Lindköping',
      'name:de': 'Lindenau',
      population_rank: 9,
      min_zoom: 7,
    }),
    point('places', -700, 500, {
      kind: 'neighbourhood',
      name: 'Västra hamnen',
      'name:de': 'Westhafen',
      min_zoom: 12,
    }),
    point('places', 700, -400, {
      kind: 'neighbourhood',
      name: 'Λιμάνι',
      script: 'Greek',
      'name:en': 'Greek Quay',
      min_zoom: 12,
    }),
    point('pois', 250, 900, { kind: 'park', name: 'Stadsparken', min_zoom: 13 }),
    point('pois', -300, -150, {
      kind: 'restaurant',
      name: 'A restaurant that nobody asked for',
      min_zoom: 13,
    }),
  ]
}

/** How the archive is described; Protomaps' is longer. */
export const protomapsMetadata = {
  name: 'Town for tests',
  version: '4.0.0',
  vector_layers: ['boundaries', 'buildings', 'earth', 'landuse', 'places', 'pois', 'roads', 'water'].map(
    (id) => ({ id, fields: { kind: 'String', name: 'String' } }),
  ),
}

interface StreetTilesOptions extends Partial<ArchiveDescription> {
  /** The length of the file, longer than its tiles by empty space that takes none on the disk. */
  readonly bytes?: number
}

/** Writes the street map of the town as a PMTiles archive in Protomaps' schema. */
export async function writeStreetTiles(
  path: string,
  { bytes, ...description }: StreetTilesOptions = {},
): Promise<void> {
  const layers = new Map<string, Feature[]>()
  for (const [layer, one] of drawTown()) layers.set(layer, [...(layers.get(layer) ?? []), one])
  const drawn = [...layers].map(([layer, features]) => {
    const collection: FeatureCollection = { type: 'FeatureCollection', features }
    return [
      layer,
      new GeoJSONVT(collection, { maxZoom: 15, indexMaxZoom: 5, extent: 4096, buffer: 64 }),
    ] as const
  })
  const maxZoom = description.maxZoom ?? 15
  const parts: ZoomPart[] = []
  for (let zoom = 0; zoom <= maxZoom; zoom += 1) {
    const part = await ZoomPart.create(`${path}.${zoom}`)
    const tiles = tilesIn(zoom).toSorted((one, other) => one.id - other.id)
    for (const { id, x, y } of tiles) {
      const found = drawn.flatMap(([layer, index]) => {
        const tile = index.getTile(zoom, x, y)
        return tile ? [[layer, tile] as const] : []
      })
      const tile = fromGeojsonVt(Object.fromEntries(found), { version: 2, extent: 4096 })
      await part.add(id, String(id), false, tile)
    }
    await part.close()
    parts.push(part)
  }
  await writeArchive(path, parts, {
    minZoom: 0,
    maxZoom,
    bounds: townBounds,
    metadata: protomapsMetadata,
    ...description,
  })
  if (bytes !== undefined) await truncate(path, bytes)
}

/** The tiles of a zoom that the town reaches. */
function tilesIn(zoom: number): { id: number; x: number; y: number }[] {
  const [west, south, far, top] = townBounds
  const side = 2 ** zoom
  const column = (longitude: number) => Math.floor(((longitude + 180) / 360) * side)
  const row = (latitude: number) =>
    Math.floor(((1 - Math.asinh(Math.tan((latitude * Math.PI) / 180)) / Math.PI) / 2) * side)
  const tiles = []
  for (let x = column(west); x <= column(far); x += 1) {
    for (let y = row(top); y <= row(south); y += 1) tiles.push({ id: zxyToTileId(zoom, x, y), x, y })
  }
  return tiles
}
