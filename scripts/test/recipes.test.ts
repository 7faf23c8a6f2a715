import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { scratchCopy, type ScratchCopy } from './scratch-copy.ts'

/**
 * The recipes of CONTRIBUTING.md, followed one after another in one copy of the sources: each needs the files that it
 * names and no others.
 */
let copy: ScratchCopy
beforeAll(async () => {
  copy = await scratchCopy()
})
afterAll(() => copy.remove())

const languages = ['de', 'en', 'es', 'fr', 'it']
const languageFiles = languages.map((tag) => `site/src/languages/${tag}.ts`)

/** Adds a word to each of the five languages, after a line that all have. */
async function inFiveLanguages(after: RegExp, words: readonly string[]): Promise<void> {
  for (const [index, file] of languageFiles.entries()) {
    const [line = ''] = after.exec(await copy.read(file)) ?? []
    await copy.append(file, line, `${words[index] ?? ''}\n`)
  }
}

describe('an amenity', () => {
  test('is a line of the vocabulary and a word in each language', async () => {
    const files = await copy.follow(async () => {
      await copy.insert(
        'packages/core/src/vocabulary.ts',
        '} as const satisfies Record<string, Amenity>',
        "  mist: { label: 'Mist', role: 'feature', aliases: ['mist-sprayer'], osm: { 'fountain:mist': 'yes' } },\n",
      )
      await inFiveLanguages(
        /^ {4}tested: .*\n/mu,
        ['Wassernebel', 'Mist', 'Nebulizador', 'Brumisateur', 'Nebulizzatore'].map(
          (word) => `    mist: '${word}',`,
        ),
      )
    })
    expect(files).toEqual(['packages/core/src/vocabulary.ts', ...languageFiles])
  })

  test('is accepted in any spelling and has its tags', async () => {
    const said = await copy.script(`
      import { openRegistry, token } from '@openfountain/core'
      import { osmTagsOf } from '@openfountain/core/vocabulary'
      const registry = await openRegistry({ database: ':memory:' })
      const place = { name: 'Square', latitude: 1, longitude: 2, amenities: ['Mist sprayer'] }
      const { amenities } = await registry.waypoints.create(place, token())
      console.log(JSON.stringify([amenities, osmTagsOf(amenities)]))
      await registry.close()`)
    expect(JSON.parse(said)).toEqual([['mist'], { amenity: 'drinking_water', 'fountain:mist': 'yes' }])
  })
})

describe('an endpoint', () => {
  test('is one declaration, and what it does is said in the specification', async () => {
    const files = await copy.follow(async () => {
      const file = 'packages/server/src/endpoints/statistics.ts'
      await copy.append(
        file,
        "import { Statistics } from '@openfountain/core'\n",
        "import { z } from 'zod'\n",
      )
      await copy.append(
        file,
        'readonly Endpoint[] = [\n',
        `  endpoint({
    method: 'GET',
    route: '/api/regions',
    name: 'listRegions',
    tag: 'Statistics',
    summary: 'The regions that have fountains',
    who: 'anyone',
    success: {
      status: 200,
      description: 'Their names, in the order of code units',
      body: z.object({ regions: z.array(z.string()) }),
    },
    async run({ registry }) {
      const found = await registry.waypoints.list()
      return { regions: [...new Set(found.flatMap(({ region }) => region ?? []))].toSorted() }
    },
  }),
`,
      )
      await copy.append(
        'docs/specification.md',
        '`GET /api/stats`: 200 and the object of section 2.6.\n',
        '\n`GET /api/regions`: 200 `{ regions }`, the names of the regions.\n',
      )
    })
    expect(files).toEqual(['docs/specification.md', 'packages/server/src/endpoints/statistics.ts'])
  })

  test('is served, described, and on the page of routes', async () => {
    const said = await copy.script(`
      import { openRegistry, token } from '@openfountain/core'
      import { createApp } from '@openfountain/server'
      import { routes } from './generate/routes.ts'
      const registry = await openRegistry({ database: ':memory:' })
      await registry.waypoints.create({ name: 'Square', latitude: 1, longitude: 2, region: 'Lund' }, token())
      const app = createApp(registry)
      const read = async (path) => (await app.fetch(new Request('http://localhost' + path))).json()
      const { regions } = await read('/api/regions')
      const { paths } = await read('/api/openapi')
      console.log(JSON.stringify([regions, paths['/api/regions'].get.operationId, await routes()]))
      await registry.close()`)
    const [regions, operation, routes] = JSON.parse(said) as [string[], string, string]
    expect(regions).toEqual(['Lund'])
    expect(operation).toBe('listRegions')
    expect(routes).toContain('| GET | `/api/regions` | anyone | write |  | The regions that have fountains |')
  })
})
