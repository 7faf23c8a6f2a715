import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'

/** A closed line as longitude, latitude, longitude, latitude … in degrees, the first place not repeated. */
export type Coast = readonly number[]

/** The land of the earth in two levels of detail; Natural Earth, public domain. No coast crosses the antimeridian. */
export interface Atlas {
  readonly coarse: readonly Coast[]
  readonly fine: readonly Coast[]
}

/** Reads the atlas that is installed with the site. */
export function readAtlas(): Atlas {
  const file = readFileSync(new URL('../../base/coasts.json.br', import.meta.url))
  return JSON.parse(brotliDecompressSync(file).toString())
}
