import { mkdir, open, rm } from 'node:fs/promises'
import { openRegistry } from '@openfountain/core'
import { editionOf, formats, publishEdition, type Format } from '@openfountain/exchange'

/** Points of interest as navigation devices read them: longitude, latitude and name, without a heading. */
const navigation: Format = {
  name: 'navigation',
  file: 'waypoints-navigation.csv',
  mediaType: 'text/csv; charset=utf-8',
  title: 'Points of interest for navigation devices',
  subject: 'waypoints',
  holds: 'Position and name.',
  loses: 'Everything else.',
  async write(path, edition, tally) {
    const file = await open(path, 'wx')
    try {
      for (const { longitude, latitude, name } of edition.waypoints()) {
        tally.rows += 1
        await file.write(`${longitude},${latitude},"${name.replaceAll('"', '""')}"\r\n`)
      }
    } finally {
      await file.close()
    }
  },
}

/** Writes it beside GeoJSON into an empty folder: node navigation.ts [fountains.db] [navigation] */
const [database = 'fountains.db', folder = 'navigation'] = process.argv.slice(2)
const registry = await openRegistry({ database, readOnly: true })
const snapshot = await registry.snapshot()
await rm(folder, { recursive: true, force: true })
await mkdir(folder)
const edition = editionOf({ snapshot, publisher: registry })
const geojson = formats.filter(({ name }) => name === 'geojson')
const { files } = await publishEdition(folder, edition, [...geojson, navigation])
for (const { file, rows } of files) console.log(file, rows ?? '')
snapshot.close()
await registry.close()
