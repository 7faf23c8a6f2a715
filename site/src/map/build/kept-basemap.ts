import { createHash, randomUUID } from 'node:crypto'
import { cpSync, existsSync, readFileSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { drawBaseMap } from './basemap.ts'

const { resolve } = createRequire(import.meta.url)
const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'js'

/** All that the drawing follows from: the code, and the packages that package.json names with their versions. */
const drawnFrom = [`basemap.${ending}`, `landform.${ending}`, '../../../package.json'].map((name) =>
  fileURLToPath(new URL(name, import.meta.url)),
)

/**
 * Writes the bundled base map into a new folder. It is the same for every site, so it is drawn once and kept in
 * `node_modules/.cache`, where other programs keep such things; where nothing can be written there, it is drawn anew.
 */
export async function writeBaseMap(to: string, kept = keptAt(), draw = drawBaseMap): Promise<void> {
  if (!existsSync(kept)) await keep(kept, draw)
  // One call for all files takes a twentieth of drawing them; one promise each takes a third.
  if (existsSync(kept)) cpSync(kept, to, { recursive: true })
  else await draw(to)
}

/** Another drawing has another name. */
function keptAt(): string {
  const hash = createHash('sha256').update(process.versions.zlib)
  for (const file of drawnFrom) hash.update(readFileSync(file))
  const packages = dirname(dirname(resolve('world-atlas/package.json')))
  return join(packages, '.cache/openfountain', `base-map-${hash.digest('hex').slice(0, 16)}`)
}

/** A folder under its name is complete, whoever else draws at the same time, and whenever that was interrupted. */
async function keep(kept: string, draw: typeof drawBaseMap): Promise<void> {
  const unfinished = `${kept}.${randomUUID()}`
  try {
    await mkdir(dirname(kept), { recursive: true })
    await draw(unfinished)
    await rename(unfinished, kept)
  } catch {
    // Read-only, no space, or another process was first.
    await rm(unfinished, { recursive: true, force: true }).catch(() => {})
  }
}
