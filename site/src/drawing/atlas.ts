import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'
import { type Coast, Landmass } from './landmass.ts'

/** The land of the earth in two levels of detail; Natural Earth, public domain. */
export interface Atlas {
  readonly coarse: Landmass
  readonly fine: Landmass
}

/** Reads the atlas that is installed with the site. */
export function readAtlas(): Atlas {
  const file = readFileSync(new URL('../../base/coasts.json.br', import.meta.url))
  const { coarse, fine }: Record<keyof Atlas, Coast[]> = JSON.parse(brotliDecompressSync(file).toString())
  return { coarse: new Landmass(coarse), fine: new Landmass(fine) }
}
