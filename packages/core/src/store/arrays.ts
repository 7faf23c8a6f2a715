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
