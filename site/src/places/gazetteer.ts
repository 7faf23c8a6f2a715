import { readFile } from 'node:fs/promises'
import { brotliDecompressSync } from 'node:zlib'
import { boxAround, distanceMetres, type Place } from '@openfountain/core/geodesy'
import Flatbush from 'flatbush'
import { isPartOf, namesOf, type Town } from '../naming.ts'

/** Languages in which towns have names of their own, in the order of the file's columns. */
const languages = ['de', 'en', 'fr', 'it', 'es'] as const

/** A town of GeoNames, with the names of Natural Earth where languages differ. */
export interface GazetteerTown {
  readonly town: Town
  readonly latitude: number
  readonly longitude: number
  /** ISO 3166-1 alpha-2. */
  readonly country: string
  readonly population: number
}

/** A fountain belongs to no town that is farther away. */
const farthestMetres = 15_000
/** People for each square kilometre of a town, by which its size is estimated. */
const density = 5000

const radiusMetres = ({ population }: GazetteerTown): number =>
  1000 * Math.sqrt(population / (density * Math.PI))

/** The towns of the world. */
export class Gazetteer {
  readonly towns: readonly GazetteerTown[]
  readonly #index: Flatbush

  constructor(towns: readonly GazetteerTown[]) {
    this.towns = towns
    this.#index = new Flatbush(Math.max(1, towns.length))
    for (const { longitude, latitude } of towns) this.#index.add(longitude, latitude)
    if (towns.length === 0) this.#index.add(0, 0)
    this.#index.finish()
  }

  /**
   * The town of a place, in the same country within 15 km: the one that its region names, else the one it lies in
   * by the estimated size, else the nearest.
   *
   * @param country ISO 3166-1 alpha-2; without one there is none
   */
  townAt(place: Place, country: string | undefined, region = ''): Town | undefined {
    const [west, south, east, north] = boxAround(place, farthestMetres)
    const boxes = west > east ? [[west, 180] as const, [-180, east] as const] : [[west, east] as const]
    const near = boxes
      .flatMap(([from, to]) => this.#index.search(from, south, to, north))
      .flatMap((index) => {
        const each = this.towns[index]
        if (each === undefined || each.country !== country) return []
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

function townsIn(text: string): GazetteerTown[] {
  let country = ''
  const towns: GazetteerTown[] = []
  for (const line of text.split('\n')) {
    if (line.startsWith('>')) {
      country = line.slice(1)
      continue
    }
    const [name = '', latitude, longitude, population, ...rest] = line.split('\t')
    const names = languages.flatMap((language, at) => (rest[at] ? [[language, rest[at]] as const] : []))
    towns.push({
      town: { id: towns.length, name, ...(names.length > 0 && { names: Object.fromEntries(names) }) },
      latitude: Number(latitude) / 1000,
      longitude: Number(longitude) / 1000,
      country,
      population: Number(population),
    })
  }
  return towns
}

let gazetteer: Promise<Gazetteer> | undefined

/** The bundled gazetteer. */
export function bundledGazetteer(): Promise<Gazetteer> {
  const file = new URL('../../places/gazetteer.tsv.br', import.meta.url)
  return (gazetteer ??= readFile(file).then(
    (bytes) => new Gazetteer(townsIn(brotliDecompressSync(bytes).toString('utf8'))),
  ))
}
