/** @module-tag others */
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { waypointStates } from '@openfountain/core/status'
import { beforeAll, describe, expect, test } from 'vitest'
import { formats } from '../../src/export/formats.ts'
import { sampleWaypoints } from './sample-snapshot.ts'
import { documentIn, textIn, writtenEdition } from './written-edition.ts'

/** Programs that others wrote, and the Debian packages that have them. */
const packages = { ogrinfo: 'gdal-bin', sqlite3: 'sqlite3', xmllint: 'libxml2-utils' } as const

/** Tests that need a program; without it they fail with the remedy. */
const needing = (program: keyof typeof packages) =>
  describe(`${program} (apt-get install ${packages[program]})`, () => {
    beforeAll(() => {
      const { error } = spawnSync(program, ['--version'])
      if (error)
        throw new Error(`${program} is missing: apt-get install ${packages[program]}`, { cause: error })
    })
    body[program]()
  })

let folder: string
beforeAll(async () => {
  folder = await writtenEdition()
})

const run = (program: string, ...given: string[]): string =>
  execFileSync(program, given, { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 26 })

const schema = join(import.meta.dirname, '../fixtures/gpx-waypoints.xsd')
const validated = (file: string) =>
  spawnSync('xmllint', ['--noout', '--nonet', '--schema', schema, file], { cwd: folder, encoding: 'utf8' })

interface Layer {
  readonly featureCount: number
  /** West, south, east, north. */
  readonly extent: readonly number[]
  /** Names of columns and their types, in order. */
  readonly types: readonly (readonly [name: string, type: string])[]
}

/** What ogrinfo prints of a layer as plain text, which is the same in old and new versions. */
function layerIn(file: string, ...name: string[]): Layer {
  const text = run('ogrinfo', '-so', ...(name.length > 0 ? [file, ...name] : ['-al', file]))
  const box = /^Extent: \((.+), (.+)\) - \((.+), (.+)\)$/mu.exec(text)?.slice(1).map(Number) ?? []
  return {
    featureCount: Number(/^Feature Count: (\d+)$/mu.exec(text)?.[1]),
    extent: box,
    types: [...text.matchAll(/^(\w+): (\w+(?:\(\w+\))?) \(\d+\.\d+\)/gmu)].map(
      ([, column = '', type = '']) => [column, type] as const,
    ),
  }
}

const extent = [-180, -90, 180, Math.max(...sampleWaypoints.map(({ latitude }) => latitude))]

const body = {
  ogrinfo: () => {
    test('reads the GeoJSON with all features, their extent and the types of the columns', () => {
      const layer = layerIn('waypoints.geojson')
      expect(layer.featureCount).toBe(sampleWaypoints.length)
      expect(layer.extent).toEqual(extent)
      expect(Object.fromEntries(layer.types)).toMatchObject({
        id: 'Integer',
        name: 'String',
        amenities: 'StringList',
        verified: 'Integer(Boolean)',
        created_at: 'DateTime',
        derived_tags: 'String(JSON)',
      })
    })

    test('reads the CSV with all rows and the documented columns in their order', () => {
      const layer = layerIn('waypoints.csv')
      const csv = formats.find(({ name }) => name === 'csv')
      expect(layer.featureCount).toBe(sampleWaypoints.length)
      expect(layer.types.map(([name]) => name)).toEqual(csv?.fields?.map(({ name }) => name))
    })

    test('reads the GPX with all waypoints as points', () => {
      const layer = layerIn('waypoints.gpx', 'waypoints')
      expect(layer.featureCount).toBe(sampleWaypoints.length)
      // GPX has no longitude of 180: that meridian is -180 there.
      expect(layer.extent.slice(0, 2)).toEqual([-180, -90])
    })

    test('reads the KML with all placemarks', () => {
      const layer = layerIn('waypoints.kml')
      expect(layer.featureCount).toBe(sampleWaypoints.length)
      expect(layer.extent).toEqual(extent)
    })

    test('reads the KMZ as it reads the KML, of which it is an archive', () => {
      expect(layerIn('waypoints.kmz')).toEqual(layerIn('waypoints.kml'))
      expect(documentIn(folder, 'waypoints.kmz')).toBe(textIn(folder, 'waypoints.kml'))
    })

    test('reads the GeoPackage with all features, their extent and the types of the columns', () => {
      const layer = layerIn('waypoints.gpkg')
      expect(layer.featureCount).toBe(sampleWaypoints.length)
      expect(layer.extent).toEqual(extent)
      expect(Object.fromEntries(layer.types)).toMatchObject({
        amenities: 'String(JSON)',
        approved: 'Integer(Boolean)',
        created_at: 'DateTime',
        rating: 'Real',
        review_count: 'Integer64',
        derived_tags: 'String(JSON)',
      })
    })

    test('finds waypoints in the GeoPackage through its spatial index, and keeps it when it edits the file', () => {
      const around = ['-spat', '13.190', '55.700', '13.1925', '55.7025', '-al', '-so', 'waypoints.gpkg']
      expect(run('ogrinfo', ...around)).toContain('Feature Count: 2')
      run('cp', 'waypoints.gpkg', 'edited.gpkg')
      run('ogrinfo', '-sql', 'DELETE FROM waypoints WHERE id = 1', 'edited.gpkg')
      const indexed = 'SELECT count(*) AS n FROM rtree_waypoints_geom'
      expect(run('ogrinfo', '-q', '-sql', indexed, 'edited.gpkg')).toContain(
        `n (Integer) = ${sampleWaypoints.length - 1}`,
      )
    })
  },

  sqlite3: () => {
    test('finds nothing wrong with the database files, the R*Tree included', () => {
      for (const file of ['waypoints.gpkg', 'registry.sqlite']) {
        expect(run('sqlite3', file, 'PRAGMA integrity_check')).toBe('ok\n')
        expect(run('sqlite3', file, 'PRAGMA foreign_key_check')).toBe('')
      }
      expect(run('sqlite3', 'waypoints.gpkg', "SELECT rtreecheck('rtree_waypoints_geom')")).toBe('ok\n')
    })

    test('finds that reviews and changes of the SQLite copy refer to waypoints', () => {
      for (const table of ['reviews', 'changes']) {
        const keys = run('sqlite3', 'registry.sqlite', `PRAGMA foreign_key_list('${table}')`)
        expect(keys).toContain('|waypoints|waypoint_id|id|')
      }
    })

    test('finds every column of the SQLite copy documented', () => {
      const undocumented =
        "SELECT m.name || '.' || c.name FROM sqlite_schema m, pragma_table_info(m.name) c WHERE m.type = 'table' " +
        "AND m.name NOT IN ('fields', 'about') AND NOT EXISTS (SELECT 1 FROM fields f WHERE f.table_name = m.name AND f.name = c.name)"
      expect(run('sqlite3', 'registry.sqlite', undocumented)).toBe('')
      expect(run('sqlite3', 'registry.sqlite', 'SELECT count(*) FROM waypoints')).toBe(
        `${sampleWaypoints.length}\n`,
      )
    })
  },

  xmllint: () => {
    test('finds the styles of the GeoPackage well-formed, with a rule for each state', () => {
      for (const style of ['styleQML', 'styleSLD']) {
        writeFileSync(
          join(folder, `${style}.xml`),
          run('sqlite3', 'waypoints.gpkg', `SELECT ${style} FROM layer_styles`),
        )
        expect(run('xmllint', '--noout', '--nonet', `${style}.xml`)).toBe('')
      }
      const states = run('xmllint', '--xpath', '//category/@value', 'styleQML.xml')
      const values = Array.from(states.matchAll(/value="(\w+)"/gu), ([, value]) => value)
      expect(values).toEqual([...waypointStates])
      const symbols = run('xmllint', '--xpath', 'count(//symbol)', 'styleQML.xml')
      const rules = run('xmllint', '--xpath', 'count(//*[local-name()="Rule"])', 'styleSLD.xml')
      expect([symbols, rules].map(Number)).toEqual([values.length, values.length])
    })

    test('finds GPX and KML well-formed', () => {
      expect(run('xmllint', '--noout', 'waypoints.gpx', 'waypoints.kml')).toBe('')
    })

    test('finds the GPX valid by the schema: positions in range, elements in sequence', () => {
      const invalid = (gpx: string) => {
        writeFileSync(join(folder, 'changed.gpx'), gpx)
        return validated('changed.gpx')
      }
      expect(validated('waypoints.gpx')).toMatchObject({ status: 0, stderr: 'waypoints.gpx validates\n' })
      const count = run('xmllint', '--xpath', 'count(//*[local-name()="wpt"])', 'waypoints.gpx')
      expect(Number(count)).toBe(sampleWaypoints.length)
      const gpx = readFileSync(join(folder, 'waypoints.gpx'), 'utf8')
      // The schema refuses the same file with a mistake.
      for (const [right, wrong] of [
        ['lon="-180"', 'lon="180"'],
        ['lat="-90"', 'lat="-90.5"'],
        ['<wpt lat="', '<wpt lat="1e-7" lon="0"></wpt><wpt lat="'],
        ['<sym>Drinking Water</sym><type>drinking water</type>', '<type>a</type><sym>b</sym>'],
        ['<copyright author=', '<copyright by='],
        ['Z</time>', 'at noon</time>'],
      ] as const) {
        expect(gpx).toContain(right)
        expect(invalid(gpx.replace(right, wrong)), wrong).toMatchObject({ status: 3 })
      }
    })
  },
} as const

needing('ogrinfo')
needing('sqlite3')
needing('xmllint')
