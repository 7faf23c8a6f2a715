import { readFile, writeFile } from 'node:fs/promises'
import { brotliCompressSync, constants } from 'node:zlib'

/**
 * Makes `site/places/gazetteer.tsv.br` of towns of GeoNames (CC BY 4.0), with the names of Natural Earth (public domain).
 * Italian names that differ from the local ones are in `scripts/gazetteer-italian.json`, as GeoNames knows them.
 * Run it with the two files: `node scripts/gazetteer.ts ne_10m_populated_places.geojson cities500.txt`.
 */

/** Countries whose towns are called locally as in one of the site's languages. */
const spokenIn: Readonly<Record<string, string>> = {
  de: 'AT DE LI',
  en: 'AU GB IE NZ US',
  es: 'AR BO CL CO CR CU DO EC ES GT HN MX NI PA PE PY SV UY VE',
  fr: 'FR MC',
  it: 'IT SM VA',
}
const languageOf = new Map(
  Object.entries(spokenIn).flatMap(([language, countries]) =>
    countries.split(' ').map((country) => [country, language] as const),
  ),
)

const languages = ['de', 'en', 'fr', 'it', 'es'] as const
/** Parts of towns, and places that are no more. */
const leftOut = new Set(['PPLX', 'PPLH', 'PPLW', 'PPLQ', 'PPLCH'])
const capitals = new Set(['PPLC', 'PPLA', 'PPLA2'])
const leastPopulation = 500

interface Town {
  readonly id: number
  name: string
  readonly others: readonly string[]
  readonly latitude: number
  readonly longitude: number
  readonly country: string
  readonly population: number
  readonly names: Map<string, string>
}

function townOf(line: string): Town | undefined {
  const [id, name = '', , others = '', latitude, longitude, , kind = '', country = '', , , , , , people] =
    line.split('\t')
  const population = Number(people)
  if (leftOut.has(kind) || (population < leastPopulation && !capitals.has(kind))) return undefined
  return {
    id: Number(id),
    name,
    others: others.split(','),
    latitude: Number(latitude),
    longitude: Number(longitude),
    country,
    population,
    names: new Map(),
  }
}

interface NaturalEarth {
  readonly features: readonly {
    readonly properties: Readonly<Record<string, string | number | null>>
  }[]
}

const [naturalEarth = '', geoNames = ''] = process.argv.slice(2)
const towns = (await readFile(geoNames, 'utf8'))
  .trimEnd()
  .split('\n')
  .flatMap((line) => townOf(line) ?? [])
const byId = new Map(towns.map((town) => [town.id, town]))
const { features } = JSON.parse(await readFile(naturalEarth, 'utf8')) as NaturalEarth
for (const { properties } of features) {
  const town = byId.get(Number(properties['GEONAMEID']))
  for (const language of languages) {
    const name = properties[`NAME_${language.toUpperCase()}`]
    if (town !== undefined && typeof name === 'string' && name !== '') town.names.set(language, name)
  }
}
const italian = JSON.parse(await readFile('scripts/gazetteer-italian.json', 'utf8')) as Record<
  string,
  string[]
>
for (const [country, names] of Object.entries(italian))
  for (const name of names) {
    const [town] = towns
      .filter((each) => each.country === country && [each.name, ...each.others].includes(name))
      .toSorted((one, other) => other.population - one.population)
    if (town === undefined) throw new Error(`GeoNames knows no ${name} in ${country}`)
    town.names.set('it', name)
  }

function row(town: Town): string {
  const { country, latitude, longitude, population, names } = town
  const local = names.get(languageOf.get(country) ?? '') ?? town.name
  const inLanguages = languages.map((language) => {
    const name = names.get(language) ?? (language === 'en' ? town.name : '')
    return name === local ? '' : name
  })
  const cells = [local, Math.round(latitude * 1000), Math.round(longitude * 1000), population]
  return [...cells, ...inLanguages].join('\t').trimEnd()
}

const byCountry = Object.entries(Object.groupBy(towns, ({ country }) => country)).toSorted()
const lines = byCountry.flatMap(([country, theirs = []]) => [
  `>${country}`,
  ...theirs
    .toSorted(
      (one, other) =>
        Math.round(one.latitude * 10) - Math.round(other.latitude * 10) || one.longitude - other.longitude,
    )
    .map(row),
])
const file = brotliCompressSync(lines.join('\n'), {
  params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 },
})
await writeFile('site/places/gazetteer.tsv.br', file)
console.log(`${towns.length} towns, ${file.length} bytes`)
