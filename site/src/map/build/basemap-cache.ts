import { createHash, randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { flushAll } from '../../build/flush.ts'
import { linkFolder } from '../../build/link-folder.ts'
import { drawBaseMap } from './basemap.ts'

const { resolve } = createRequire(import.meta.url)
const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'js'

/** The inputs of the drawing: the code, and the versions of the packages in package.json. */
const drawnFrom = [`basemap.${ending}`, `landform.${ending}`, '../../../package.json'].map((name) =>
  fileURLToPath(new URL(name, import.meta.url)),
)

/**
 * Writes the bundled base map into a new folder. It is the same for every site, so it is drawn once and cached in
 * `node_modules/.cache`; each site has hard links to the cached files where possible. Where the cache cannot be
 * written, it is drawn anew.
 */
export async function writeBaseMap(to: string, cache = cachePath(), draw = drawBaseMap): Promise<void> {
  if (!existsSync(cache)) await fillCache(cache, draw)
  if (existsSync(cache)) linkFolder(cache, to)
  else await draw(to)
}

/** Another drawing has another name. */
function cachePath(): string {
  const hash = createHash('sha256').update(process.versions.zlib)
  for (const file of drawnFrom) hash.update(readFileSync(file))
  const packages = dirname(dirname(resolve('world-atlas/package.json')))
  return join(packages, '.cache/openfountain', `base-map-${hash.digest('hex').slice(0, 16)}`)
}

/**
 * Fills the cache. A folder with the final name is complete: also with several processes at a time, and after an
 * interruption or a power cut.
 */
async function fillCache(cache: string, draw: typeof drawBaseMap): Promise<void> {
  const unfinished = `${cache}.${randomUUID()}`
  try {
    await mkdir(dirname(cache), { recursive: true })
    await draw(unfinished)
    await flushAll(unfinished)
    await rename(unfinished, cache)
  } catch {
    // Read-only, no space, or another process was first.
    await rm(unfinished, { recursive: true, force: true }).catch(() => {})
  }
}
