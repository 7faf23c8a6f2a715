type Numbers = Float64Array | Uint32Array | Uint16Array | Uint8Array

/** A longer copy of an array of numbers, with zeros at its end. */
export function lengthened<Given extends Numbers>(array: Given, length: number): Given {
  const longer = new (array.constructor as new (length: number) => Given)(length)
  longer.set(array)
  return longer
}

/** The length of an array that holds an id, with room for more. */
export function roomFor(id: number): number {
  return Math.ceil(((id + 1) * 5) / 4 / 4096) * 4096
}

/** Values as small numbers, from 1 on. */
export class Codes {
  readonly #codes = new Map<string, number>()

  /** The number of a value, which is given one when it has none. */
  of(value: string): number {
    let code = this.#codes.get(value)
    if (code === undefined) {
      code = this.#codes.size + 1
      this.#codes.set(value, code)
    }
    return code
  }

  /** The number of a value, or undefined when nothing has it. */
  known(value: string): number | undefined {
    return this.#codes.get(value)
  }

  get size(): number {
    return this.#codes.size
  }
}
