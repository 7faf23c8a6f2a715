import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { openRegistry } from '@openfountain/core'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { answered, folder, openfountain } from '@openfountain/testing/command/shell'

const fountains = ['id,name,latitude,longitude,region', 'a,Fontana,41.9,12.5,', 'b,Tap,51.51,-0.13,Soho']
const roma = {
  type: 'FeatureCollection',
  features: [
    {
      type: 'Feature',
      properties: { name: 'Roma', admin_level: '8', 'ISO3166-2': 'IT-62' },
      geometry: {
        type: 'Polygon',
        coordinates: [
          [
            [12, 41],
            [13, 41],
            [13, 42],
            [12, 42],
            [12, 41],
          ],
        ],
      },
    },
  ],
}

async function withFiles(): Promise<string> {
  const cwd = await folder()
  await writeFile(path.join(cwd, 'f.csv'), `${fountains.join('\n')}\n`)
  await writeFile(path.join(cwd, 'r.geojson'), JSON.stringify(roma))
  return cwd
}

const Anything = z.unknown()

const importing = ['import', 'f.csv', '--source', 'Cities', '--license', 'CC0-1.0']

async function placesIn(cwd: string) {
  const registry = await openRegistry({ database: path.join(cwd, 'openfountain.db'), readOnly: true })
  try {
    return await Promise.all([1, 2].map((id) => registry.waypoints.place(id)))
  } finally {
    await registry.close()
  }
}

const soho = { country: 'GB', subdivision: 'GB-ENG' }
const inRoma = { country: 'IT', subdivision: 'IT-62', name: 'Roma' }

test('an import finds countries, regions assign the places in the file, and exports have both', async () => {
  const cwd = await withFiles()
  await answered(Anything, importing, { cwd })
  expect(await placesIn(cwd)).toEqual([{ country: 'IT' }, soho])
  const assign = ['regions', 'assign']
  const counts = { waypoints: 2, placed: 2, changed: 1 }
  const dry = await answered(Anything, [...assign, '--regions', 'r.geojson', '--dry-run'], { cwd })
  expect(dry).toEqual({ ...counts, dryRun: true })
  expect(await placesIn(cwd)).toEqual([{ country: 'IT' }, soho])
  const done = await answered(Anything, assign, { cwd, env: { OPENFOUNTAIN_REGIONS: 'r.geojson' } })
  expect(done).toEqual({ ...counts, dryRun: false })
  expect(await placesIn(cwd)).toEqual([inRoma, soho])
  await answered(
    Anything,
    [
      'export',
      '--out',
      'out',
      '--formats',
      'geojson',
      '--license',
      'CC0-1.0',
      '--registry-license',
      'CC0-1.0',
    ],
    { cwd },
  )
  const exported = await readFile(path.join(cwd, 'out', 'waypoints.geojson'), 'utf8')
  expect(JSON.parse(exported)).toMatchObject({
    features: [
      { properties: { country: 'IT', subdivision: 'IT-62', place: 'Roma' } },
      { properties: { country: 'GB', subdivision: 'GB-ENG', region: 'Soho' } },
    ],
  })
})

test('an import with boundaries finds places at once, and what is wrong with boundaries is said before anything is written', async () => {
  const cwd = await withFiles()
  const wrong = await openfountain([...importing, '--regions', 'f.csv'], { cwd })
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('f.csv is not JSON') as string })
  await answered(Anything, [...importing, '--regions', 'r.geojson'], { cwd })
  expect(await placesIn(cwd)).toEqual([inRoma, soho])
})
