/** @module-tag browser */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { filesOf } from '@openfountain/testing/site/built-site'
import { freshFolder } from '@openfountain/testing/site/sample'
import { exportOf } from '@openfountain/testing/site/sites'
import { hostFolder } from '@openfountain/testing/site/static-host'
import { square, total } from '@openfountain/testing/site/town'
import { clickMiddle, heading, mapReady, visit } from '@openfountain/testing/site/visit'
import { expect, it } from 'vitest'
import { buildSite } from '../../src/index.ts'

const style = {
  version: 8,
  projection: { type: 'globe' },
  sources: {
    fields: {
      type: 'geojson',
      attribution: '© Field Survey',
      data: { type: 'Point', coordinates: [13.2, 55.7] },
    },
  },
  layers: [
    { id: 'ground', type: 'background', paint: { 'background-color': '#c0ffee' } },
    { id: 'fields', type: 'circle', source: 'fields' },
  ],
}

it('the operator’s style takes the place of the bundled base map, which is then not there, and fountains are chosen on it', async () => {
  const out = join(await freshFolder(), 'site')
  await buildSite({ data: await exportOf('town'), out, style: '/style.json', languages: ['en'] })
  await writeFile(join(out, 'style.json'), JSON.stringify(style))
  const host = await hostFolder(out)
  const { page, complaints, requests } = await visit(host.url)
  await heading(page, `${total} fountains in view`)
  await page.locator('.maplibregl-ctrl-attrib', { hasText: '© Field Survey' }).waitFor()
  expect(requests.some((address) => address.includes('map/base/'))).toBe(false)
  expect((await filesOf(out)).filter((file) => file.startsWith('map/base/'))).toEqual([])
  await page.goto(`${host.url}?at=${square.latitude},${square.longitude},16`)
  await mapReady(page)
  await clickMiddle(page)
  await page.locator('#card h2', { hasText: 'Market Square' }).waitFor()
  expect(complaints).toEqual([])
})
