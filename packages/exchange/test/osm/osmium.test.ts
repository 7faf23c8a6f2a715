/** @module-tag others */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { token } from '@openfountain/core'
import { newFolder } from '@openfountain/testing/folder'
import { emptyRegistry } from '@openfountain/testing/registry'
import { expect, test } from 'vitest'
import { compareWithOsm, osmChangeText } from '../../src/index.ts'
import { importContent } from '../import/fixture.ts'

const xml = `<?xml version="1.0"?><osm version="0.6" generator="test">
<node id="1" version="3" timestamp="2025-01-01T00:00:00Z" lat="47.1" lon="8"><tag k="amenity" v="drinking_water"/></node>
<node id="2" version="1" timestamp="2025-01-01T00:00:00Z" lat="47.2" lon="8"><tag k="amenity" v="drinking_water"/></node>
</osm>`

test('osmium reads an osmChange and applies it to the file that was compared, in each format', async () => {
  const folder = newFolder()
  const run = (...given: string[]) => execFileSync('osmium', given, { cwd: folder, encoding: 'utf8' })
  writeFileSync(path.join(folder, 'all.osm'), xml)
  run('cat', 'all.osm', '-o', 'all.osm.pbf')
  const registry = await emptyRegistry()
  await importContent(registry, xml, { source: { name: 'OpenStreetMap', license: 'ODbL-1.0' } })
  await registry.waypoints.update(1, { openingHours: 'Mo-Su <"&\'>' }, token())
  await registry.waypoints.create({ name: 'New', latitude: 47.15, longitude: 8, amenities: ['tap'] }, token())
  for (const file of ['all.osm', 'all.osm.pbf']) {
    const { changes } = await compareWithOsm(registry, { file: path.join(folder, file) })
    writeFileSync(path.join(folder, 'changes.osc'), osmChangeText(changes))
    expect(run('fileinfo', '-e', '-g', 'data.count.nodes', 'changes.osc').trim()).toBe('2')
    run('sort', 'changes.osc', '-o', 'sorted.osc', '--overwrite')
    run('apply-changes', file, 'sorted.osc', '-o', 'after.opl', '--overwrite')
    const [created = '', changed = '', kept = ''] = run('cat', 'after.opl', '-f', 'opl').split('\n')
    expect(created).toMatch(/^n-3 .*Tamenity=drinking_water,man_made=water_tap x8 y47\.15$/)
    expect(changed).toMatch(/^n1 v3 .*opening_hours=/)
    expect(kept).toMatch(/^n2 v1 .*Tamenity=drinking_water x8 y47\.2$/)
  }
})
