import { PbfWriter } from 'pbf'

/** The properties of a point of a tile: no value is null, and numbers are safe integers or fractions. */
export type Tags = Readonly<Record<string, string | number | boolean>>

/** A point of a tile; `id` among its tags is also that of the feature. */
interface TilePoint {
  readonly x: number
  readonly y: number
  readonly tags: Tags
}

const pointType = 1
/** One MoveTo of one point: https://github.com/mapbox/vector-tile-spec/tree/master/2.1#431-command-integers */
const moveToOne = (1 << 3) | 1

const usualBytes = 1 << 10

/**
 * A vector tile with points in one layer.
 * https://github.com/mapbox/vector-tile-spec/tree/master/2.1
 *
 * @param extent units across the tile
 */
export function vectorTile(name: string, extent: number, points: readonly TilePoint[]): Uint8Array {
  const tile = new PbfWriter(new Uint8Array(usualBytes))
  tile.writeMessage(3, (_, layer) => writeLayer(layer, name, extent, points), undefined)
  return tile.finish()
}

function writeLayer(layer: PbfWriter, name: string, extent: number, points: readonly TilePoint[]): void {
  const keys = new Map<string, number>()
  const values = new Map<Tags[string], number>()
  layer.writeVarintField(15, 2)
  writeText(layer, 1, name)
  layer.writeVarintField(5, extent)
  for (const { x, y, tags } of points) {
    const pairs: number[] = []
    for (const [key, value] of Object.entries(tags)) pairs.push(placeIn(keys, key), placeIn(values, value))
    layer.writeMessage(
      2,
      (id, feature) => {
        if (typeof id === 'number') feature.writeVarintField(1, id)
        feature.writePackedVarint(2, pairs)
        feature.writeVarintField(3, pointType)
        // Distances are zigzag-encoded: those from the corner are not negative.
        feature.writePackedVarint(4, [moveToOne, 2 * x, 2 * y])
      },
      tags['id'],
    )
  }
  for (const key of keys.keys()) writeText(layer, 3, key)
  for (const value of values.keys()) layer.writeMessage(4, writeValue, value)
}

function placeIn<Item>(places: Map<Item, number>, item: Item): number {
  const known = places.get(item)
  if (known !== undefined) return known
  places.set(item, places.size)
  return places.size - 1
}

function writeValue(value: Tags[string], message: PbfWriter): void {
  if (typeof value === 'string') writeText(message, 1, value)
  else if (typeof value === 'boolean') message.writeBooleanField(7, value)
  else if (!Number.isInteger(value)) message.writeDoubleField(3, value)
  else if (value < 0) message.writeSVarintField(6, value)
  else message.writeVarintField(5, value)
}

/** `writeStringField` writes characters from U+20000 on as others, and such characters are in names of places. */
const writeText = (message: PbfWriter, tag: number, text: string): void =>
  message.writeBytesField(tag, Buffer.from(text))
