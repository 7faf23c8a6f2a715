/** The properties of a point of a tile: no value is null, and numbers are safe integers or fractions. */
export type Tags = Readonly<Record<string, string | number | boolean>>

const pointType = 1
/** One MoveTo of one point: https://github.com/mapbox/vector-tile-spec/tree/master/2.1#431-command-integers */
const moveToOne = (1 << 3) | 1

/** Fields of protobuf messages with their wire types, as the specification of vector tiles numbers them. */
const field = {
  layer: (3 << 3) | 2,
  version: 15 << 3,
  name: (1 << 3) | 2,
  extent: 5 << 3,
  feature: (2 << 3) | 2,
  key: (3 << 3) | 2,
  value: (4 << 3) | 2,
  id: 1 << 3,
  tags: (2 << 3) | 2,
  type: 3 << 3,
  geometry: (4 << 3) | 2,
  text: (1 << 3) | 2,
  double: (3 << 3) | 1,
  unsigned: 5 << 3,
  signed: 6 << 3,
  flag: 7 << 3,
} as const

/**
 * Makes vector tiles of points in one layer, one tile after another in the same memory.
 * https://github.com/mapbox/vector-tile-spec/tree/master/2.1
 */
export class VectorTile {
  readonly #layer = new Message()
  readonly #feature = new Message()
  readonly #tags = new Message()
  readonly #keys = new Map<string, number>()
  readonly #values = new Map<string | number | boolean, number>()
  readonly #name: string
  readonly #extent: number

  /** @param extent units across a tile */
  constructor(name: string, extent: number) {
    this.#name = name
    this.#extent = extent
    this.#begin()
  }

  /** Adds a point; x and y are units from the upper left corner. */
  add(id: number | undefined, tags: Tags, x: number, y: number): void {
    this.#tags.clear()
    for (const [key, value] of Object.entries(tags)) {
      this.#tags.varint(placeIn(this.#keys, key))
      this.#tags.varint(placeIn(this.#values, value))
    }
    const feature = this.#feature
    feature.clear()
    if (id !== undefined) {
      feature.varint(field.id)
      feature.varint(id)
    }
    feature.message(field.tags, this.#tags)
    feature.varint(field.type)
    feature.varint(pointType)
    this.#tags.clear()
    this.#tags.varint(moveToOne)
    this.#tags.varint(zigzag(x))
    this.#tags.varint(zigzag(y))
    feature.message(field.geometry, this.#tags)
    this.#layer.message(field.feature, feature)
  }

  /** The bytes of the tile, in memory of their own. The next tile begins empty. */
  finish(): Buffer {
    for (const key of this.#keys.keys()) this.#layer.text(field.key, key)
    for (const value of this.#values.keys()) {
      this.#feature.clear()
      writeValue(this.#feature, value)
      this.#layer.message(field.value, this.#feature)
    }
    this.#feature.clear()
    this.#feature.message(field.layer, this.#layer)
    const bytes = this.#feature.copy()
    this.#begin()
    return bytes
  }

  #begin(): void {
    this.#keys.clear()
    this.#values.clear()
    this.#layer.clear()
    this.#layer.varint(field.version)
    this.#layer.varint(2)
    this.#layer.text(field.name, this.#name)
    this.#layer.varint(field.extent)
    this.#layer.varint(this.#extent)
  }
}

function placeIn<Item>(places: Map<Item, number>, item: Item): number {
  const known = places.get(item)
  if (known !== undefined) return known
  const place = places.size
  places.set(item, place)
  return place
}

const zigzag = (number: number): number => (number < 0 ? -2 * number - 1 : 2 * number)

function writeValue(message: Message, value: string | number | boolean): void {
  if (typeof value === 'string') return message.text(field.text, value)
  if (typeof value === 'boolean') {
    message.varint(field.flag)
    message.varint(value ? 1 : 0)
  } else if (!Number.isInteger(value)) message.double(field.double, value)
  else {
    message.varint(value < 0 ? field.signed : field.unsigned)
    message.varint(value < 0 ? zigzag(value) : value)
  }
}

/** A protobuf message in growing memory: https://protobuf.dev/programming-guides/encoding/ */
class Message {
  #bytes = Buffer.allocUnsafe(1 << 12)
  #length = 0

  clear(): void {
    this.#length = 0
  }

  copy(): Buffer {
    return Buffer.from(this.#bytes.subarray(0, this.#length))
  }

  /** Seven bits a byte, lowest first, a set high bit when more follow. */
  varint(number: number): void {
    this.#reserve(10)
    let rest = number
    for (; rest >= 128; rest = Math.floor(rest / 128)) this.#bytes[this.#length++] = (rest % 128) | 128
    this.#bytes[this.#length++] = rest
  }

  double(tag: number, number: number): void {
    this.varint(tag)
    this.#reserve(8)
    this.#length = this.#bytes.writeDoubleLE(number, this.#length)
  }

  text(tag: number, text: string): void {
    this.varint(tag)
    const length = Buffer.byteLength(text)
    this.varint(length)
    this.#reserve(length)
    this.#length += this.#bytes.write(text, this.#length)
  }

  message(tag: number, message: Message): void {
    this.varint(tag)
    this.varint(message.#length)
    this.#reserve(message.#length)
    message.#bytes.copy(this.#bytes, this.#length, 0, message.#length)
    this.#length += message.#length
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return
    const larger = Buffer.allocUnsafe(2 * (this.#length + more))
    this.#bytes.copy(larger, 0, 0, this.#length)
    this.#bytes = larger
  }
}
