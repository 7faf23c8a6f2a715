import { createHash } from 'node:crypto'
import { copyFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { landFile } from '../data/land.ts'

/** The bundled base map of land and borders: Natural Earth, made by `site/base/make.ts`. */
const archive = new URL('../../../base/base.pmtiles', import.meta.url)

/** Its address below the root, which changes with its content alone. */
export const baseMapAddress = `${landFile}?v=${createHash('sha256').update(readFileSync(archive)).digest('hex').slice(0, 12)}`

export const writeBaseMap = (outDir: string): void => copyFileSync(archive, join(outDir, landFile))
