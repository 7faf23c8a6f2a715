import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { assetFolder, workerFile } from '../build/bundle.ts'
import { baseMapAddress } from '../map/build/base-map.ts'
import { landFile } from '../map/data/land.ts'
import { shellFiles } from './caches.ts'
import type { ServiceWorkerSettings } from './worker.ts'

export interface ServiceWorkerOptions {
  readonly outDir: string
  readonly base: string
  readonly version: string
  /** Address of the API, when there is one: the queue is then sent in the background where browsers support that. */
  readonly api?: string
}

/** Folders of the shell, besides its single files. Folders in them are read when they are needed. */
const folders = [assetFolder, 'languages']

const offlinePage = 'offline/index.html'

const offlinePath = offlinePage.replace('index.html', '')

/** Folders cached in addition by browsers of contributors. */
const contributing = [`${assetFolder}/account`, `${assetFolder}/contribute`, 'languages/contribute']

/** Data that the map needs everywhere, requested with the version. */
const data = ['map/places.json', 'map/cells/index.json', 'data/areas.geojson']

/** Completes `sw.js`, the worker for work without a network. Its version is the digest of everything it caches. */
export async function writeServiceWorker({
  outDir,
  base,
  version,
  api,
}: ServiceWorkerOptions): Promise<void> {
  const isPresent = (path: string) => existsSync(join(outDir, path))
  const filesIn = (folder: string) =>
    readdirSync(join(outDir, folder), { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => `${folder}/${name}`)
  const shell = [...shellFiles.filter(isPresent), ...folders.flatMap(filesIn)].toSorted()
  const needed = data.filter(isPresent)
  const digest = createHash('sha256').update(base).update(version)
  const accounts = contributing.filter(isPresent).flatMap(filesIn).toSorted()
  for (const path of [...shell, offlinePage, ...accounts])
    digest.update(path).update(await readFile(join(outDir, path)))
  const settings: ServiceWorkerSettings = {
    base,
    ...(api !== undefined && { api }),
    version: digest.digest('hex').slice(0, 16),
    shell: [...shell, offlinePath, ...needed.map((path) => `${path}?v=${encodeURIComponent(version)}`)],
    offline: offlinePath,
    accounts,
    ...(isPresent(landFile) && { land: baseMapAddress }),
  }
  const file = join(outDir, workerFile)
  await writeFile(file, `const SITE=${JSON.stringify(settings)};${await readFile(file, 'utf8')}`)
}
