/**
 * A map from texts to the row of their first occurrence and a number of the caller's, in 16 bytes a slot: a set of
 * strings would take ten times that for a file of millions of rows. Two different texts are taken for the same with a
 * probability of n² / 2⁵³, which for three million texts is one in a thousand.
 */
export class Fingerprints {
  /** Many small tables: a table that grows is in memory twice, which is a sixty-fourth of all then. */
  readonly #tables = Array.from({ length: tableCount }, () => new Table())
  #texts = 0

  /** How many different texts were added. */
  get size(): number {
    return this.#texts
  }

  /** Adds a text. @returns the row of its first occurrence, or undefined when it is new */
  add(text: string, row: number, mark = 0): number | undefined {
    const key = fingerprint(text)
    const earlier = this.#tableOf(key).add(key, row, mark)
    if (earlier === undefined) this.#texts += 1
    return earlier
  }

  /** The row at which this text was added, or undefined. */
  row(text: string): number | undefined {
    const key = fingerprint(text)
    return this.#tableOf(key).row(key)
  }

  /** The number that was given when this text was added, or undefined. */
  mark(text: string): number | undefined {
    const key = fingerprint(text)
    return this.#tableOf(key).mark(key)
  }

  #tableOf(key: number): Table {
    const table = this.#tables[key % tableCount]
    if (table === undefined) throw new RangeError(`no table for ${key}`)
    return table
  }
}

const tableCount = 64

/** Numbers with open addressing. */
class Table {
  #keys = new Float64Array(64)
  #rows = new Int32Array(64)
  #marks = new Int32Array(64)
  #used = 0

  add(key: number, row: number, mark: number): number | undefined {
    if (this.#used > this.#keys.length * fullest) this.#grow()
    const slot = this.#slotOf(key)
    if (this.#keys[slot] === key) return this.#rows[slot]
    this.#keys[slot] = key
    this.#rows[slot] = row
    this.#marks[slot] = mark
    this.#used += 1
    return undefined
  }

  row(key: number): number | undefined {
    const slot = this.#slotOf(key)
    return this.#keys[slot] === 0 ? undefined : this.#rows[slot]
  }

  mark(key: number): number | undefined {
    const slot = this.#slotOf(key)
    return this.#keys[slot] === 0 ? undefined : this.#marks[slot]
  }

  #slotOf(key: number): number {
    const keys = this.#keys
    // All keys of a table have the same remainder, by which the table was chosen.
    let slot = Math.floor(key / tableCount) % keys.length
    while (keys[slot] !== 0 && keys[slot] !== key) slot = slot + 1 === keys.length ? 0 : slot + 1
    return slot
  }

  #grow(): void {
    const [keys, rows, marks] = [this.#keys, this.#rows, this.#marks]
    // Odd, so that the fingerprints' last bits do not decide alone.
    const slots = Math.floor(keys.length * growth) | 1
    this.#keys = new Float64Array(slots)
    this.#rows = new Int32Array(slots)
    this.#marks = new Int32Array(slots)
    for (let slot = 0; slot < keys.length; slot += 1) {
      const key = keys[slot] ?? 0
      if (key === 0) continue
      const free = this.#slotOf(key)
      this.#keys[free] = key
      this.#rows[free] = rows[slot] ?? 0
      this.#marks[free] = marks[slot] ?? 0
    }
  }
}

/** The share of slots in use at which the table grows, and by how much. */
const fullest = 0.8
const growth = 1.15

/** 53 bits by cyrb53's mixing (public domain), never 0. */
function fingerprint(text: string): number {
  let high = 0xdeadbeef
  let low = 0x41c6ce57
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    high = Math.imul(high ^ code, 2_654_435_761)
    low = Math.imul(low ^ code, 1_597_334_677)
  }
  high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909)
  low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909)
  return 4_294_967_296 * (2_097_151 & low) + (high >>> 0) + 1
}
