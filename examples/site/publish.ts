import { copyFile } from 'node:fs/promises'
import { openRegistry } from '@openfountain/core'
import { exportRegistry } from '@openfountain/exchange'
import { buildSite } from '@openfountain/site'

/** Exports a registry and builds its site with a base map of our own: node publish.ts [fountains.db] [public] */
const [database = 'fountains.db', out = 'public'] = process.argv.slice(2)
const registry = await openRegistry({
  database,
  name: 'Fountains of Lund',
  author: 'City of Lund',
  readOnly: true,
})
const { folder } = await exportRegistry(registry, { out: `${out}-data` })
await registry.close()

const style = '/style.json'
const { pages } = await buildSite({ data: folder, out, style, languages: ['en', 'de'] })
await copyFile(new URL('style.json', import.meta.url), `${out}${style}`)
console.log(`${pages} pages in ${out}`)
