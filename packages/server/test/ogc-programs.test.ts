import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import { promisify } from 'node:util'
import { openRegistry, token } from '@openfountain/core'
import { listening } from '@openfountain/testing/listening'
import { beforeAll, expect, test } from 'vitest'
import { createApp, nodeListener } from '../src/index.ts'

const registry = await openRegistry({ database: ':memory:', durability: 'relaxed' })
beforeAll(async () => {
  for (let place = 0; place < 250; place++)
    await registry.waypoints.create(
      { name: `Fountain ${place}`, latitude: 47 + place / 1000, longitude: 8.5, amenities: ['tap'] },
      token(),
    )
  return () => registry.close()
})

const run = promisify(execFile)
const python = async (script: string) =>
  (
    await run('/usr/bin/python3', ['-c', script], {
      env: { ...process.env, QT_QPA_PLATFORM: 'offscreen', XDG_RUNTIME_DIR: '/tmp' },
      maxBuffer: 1 << 26,
    })
  ).stdout.trim()
const address = async () =>
  `http://127.0.0.1:${await listening(createServer(nodeListener(createApp(registry))))}/ogc`

test('ogrinfo opens it, counts it page by page, and asks for a box', { tags: ['others'] }, async () => {
  const ogc = await address()
  const summary = async (...given: string[]) =>
    (await run('ogrinfo', ['-so', ...given, `OAPIF:${ogc}`, 'waypoints'])).stdout
  const whole = await summary('-oo', 'PAGE_SIZE=100')
  expect(whole).toMatch(/^Geometry: Point$/mu)
  expect(whole).toMatch(/^Feature Count: 250$/mu)
  expect(whole).toMatch(/^openingHours|^addedByUserId: String/mu)
  expect(await summary('-spat', '8', '47.0995', '9', '47.1095')).toMatch(/^Feature Count: 10$/mu)
})

test('OWSLib reads landing page, conformance, collections and items', { tags: ['others'] }, async () => {
  const ogc = await address()
  const text = await python(`
from owslib.ogcapi.features import Features
api = Features('${ogc}')
print(api.feature_collections(), len(api.conformance()['conformsTo']), api.api()['openapi'])
page = api.collection_items('waypoints', limit=7, bbox=[8, 47, 9, 47.2])
print(page['numberReturned'], api.collection_item('waypoints', '3')['properties']['name'])
print(sorted(api.collection_queryables('waypoints')['properties'])[0])
`)
  expect(text.split('\n')).toEqual(["['waypoints'] 4 3.0.3", '7 Fountain 2', 'access'])
})

test(
  'QGIS opens it as a layer, pages through it, and filters by a rectangle',
  { tags: ['full'] },
  async () => {
    const ogc = await address()
    const text = await python(`
import os
from qgis.core import QgsApplication, QgsVectorLayer, QgsFeatureRequest, QgsRectangle
app = QgsApplication([], False)
app.initQgis()
layer = QgsVectorLayer("url='${ogc}' typename='waypoints' pageSize='100'", 'fountains', 'OAPIF')
print(layer.isValid(), layer.crs().authid(), layer.geometryType())
print(len(list(layer.getFeatures())))
box = QgsFeatureRequest().setFilterRect(QgsRectangle(8, 47.0995, 9, 47.1095))
print(len(list(layer.getFeatures(box))), layer.fields().names(), flush=True)
os._exit(0)
`)
    expect(text.split('\n').slice(0, 2)).toEqual(['True EPSG:4326 0', '250'])
    expect(text).toMatch(/^10 .*'addedByUserId'/mu)
  },
)
