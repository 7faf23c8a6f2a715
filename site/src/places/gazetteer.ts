import { readFile } from 'node:fs/promises'
import { brotliDecompressSync } from 'node:zlib'
import { boxAround, distanceMetres, type Place } from '@openfountain/core/geodesy'
import Flatbush from 'flatbush'
import { isPartOf, namesOf, type Town } from '../naming.ts'

/** Languages in which towns have names of their own, in the order of the file's columns. */
const languages = ['de', 'en', 'fr', 'it', 'es'] as const

/** A town of GeoNames, with the names of Natural Earth where languages differ. */
interface GazetteerTown extends Place {
  readonly town: Town
  readonly population: number
}

/** A fountain belongs to no town that is farther away. */
const farthestMetres = 15_000
/** People for each square kilometre of a town, by which its size is estimated. */
const density = 5000

const radiusMetres = ({ population }: GazetteerTown): number =>
  1000 * Math.sqrt(population / (density * Math.PI))

interface Country {
  readonly towns: readonly GazetteerTown[]
  readonly index: Flatbush
}

/** The towns of the world, read by country when the first of its places is asked for. */
export class Gazetteer {
  /** Lines of tab-separated values by country (ISO 3166-1 alpha-2), with the id of the first. */
  readonly #lines = new Map<string, { readonly first: number; readonly lines: readonly string[] }>()
  readonly #countries = new Map<string, Country>()

  /** @param text a line with `>` and the country before its towns */
  constructor(text: string) {
    let first = 0
    for (const section of text.split(/^>/mu)) {
      const [country = '', ...lines] = section.trimEnd().split('\n')
      this.#lines.set(country, { first, lines })
      first += lines.length
    }
  }

  townsOf(country: string): readonly GazetteerTown[] {
    return this.#country(country)?.towns ?? []
  }

  placeOf({ id }: Pick<Town, 'id'>, country = ''): Place | undefined {
    return this.townsOf(country).find(({ town }) => town.id === id)
  }

  #country(name: string): Country | undefined {
    const known = this.#countries.get(name)
    const { first = 0, lines = [] } = known === undefined ? (this.#lines.get(name) ?? {}) : {}
    if (known !== undefined || lines.length === 0) return known
    const towns = lines.map((line, at) => townOf(line, first + at))
    const index = new Flatbush(towns.length)
    for (const { longitude, latitude } of towns) index.add(longitude, latitude)
    index.finish()
    const country = { towns, index }
    this.#countries.set(name, country)
    return country
  }

  /** The town of a place, within 15 km in its country: the one of its region, else the one it lies in, else the nearest. */
  townAt(place: Place, country = '', region = ''): Town | undefined {
    const { towns, index } = this.#country(country) ?? {}
    if (towns === undefined || index === undefined) return undefined
    const [west, south, east, north] = boxAround(place, farthestMetres)
    const boxes = west > east ? [[west, 180] as const, [-180, east] as const] : [[west, east] as const]
    const near = boxes
      .flatMap(([from, to]) => index.search(from, south, to, north))
      .flatMap((at) => {
        const each = towns[at]
        if (each === undefined) return []
        const metres = distanceMetres(place, each)
        return metres > farthestMetres ? [] : [{ each, metres, radii: metres / radiusMetres(each) }]
      })
    const isNamed = (town: Town): boolean => namesOf(town).some((name) => isPartOf(region, name))
    const [named] = near
      .filter(({ each }) => isNamed(each.town))
      .toSorted((one, other) => one.radii - other.radii)
    const [inside] = near.filter(({ radii }) => radii <= 1).toSorted((one, other) => one.radii - other.radii)
    const [nearest] = near.toSorted((one, other) => one.metres - other.metres)
    return (named ?? inside ?? nearest)?.each.town
  }
}

function townOf(line: string, id: number): GazetteerTown {
  const [name = '', latitude, longitude, population, ...others] = line.split('\t')
  const names = languages.flatMap((language, at) => (others[at] ? [[language, others[at]] as const] : []))
  return {
    town: { id, name, ...(names.length > 0 && { names: Object.fromEntries(names) }) },
    latitude: Number(latitude) / 1000,
    longitude: Number(longitude) / 1000,
    population: Number(population),
  }
}

let gazetteer: Promise<Gazetteer> | undefined

export function bundledGazetteer(): Promise<Gazetteer> {
  const file = new URL('../../places/gazetteer.tsv.br', import.meta.url)
  return (gazetteer ??= readFile(file).then(
    (bytes) => new Gazetteer(brotliDecompressSync(bytes).toString('utf8')),
  ))
}
