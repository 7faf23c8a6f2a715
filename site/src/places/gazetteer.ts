import { readFile } from 'node:fs/promises'
import { brotliDecompressSync } from 'node:zlib'
import { boxAround, distanceMetres, type Place } from '@openfountain/core/geodesy'
import Flatbush from 'flatbush'

/** Languages in which towns have names of their own, in the order of the file's columns. */
const languages = ['de', 'en', 'fr', 'it', 'es'] as const

/** A town of GeoNames, with the names of Natural Earth. */
export interface Town {
  /** As it is called there. */
  readonly name: string
  readonly latitude: number
  readonly longitude: number
  /** ISO 3166-1 alpha-2. */
  readonly country: string
  readonly population: number
  /** Where a language has another name. */
  readonly names: Readonly<Partial<Record<string, string>>>
}

export const townName = ({ name, names }: Town, language: string): string => names[language] ?? name

/** A fountain belongs to no town that is farther away. */
const farthestMetres = 15_000
/** People for each square kilometre of a town, by which its size is estimated. */
const density = 5000

const radiusMetres = ({ population }: Town): number => 1000 * Math.sqrt(population / (density * Math.PI))

/** The towns of the world. */
export class Gazetteer {
  readonly towns: readonly Town[]
  readonly #index: Flatbush

  constructor(towns: readonly Town[]) {
    this.towns = towns
    this.#index = new Flatbush(Math.max(1, towns.length))
    for (const { longitude, latitude } of towns) this.#index.add(longitude, latitude)
    if (towns.length === 0) this.#index.add(0, 0)
    this.#index.finish()
  }

  /**
   * The town of a place: the one it lies in by the estimated size, else the nearest in the same country within 15 km.
   *
   * @param country ISO 3166-1 alpha-2; without one there is none
   */
  townAt(place: Place, country: string | undefined): Town | undefined {
    const [west, south, east, north] = boxAround(place, farthestMetres)
    const boxes = west > east ? [[west, 180] as const, [-180, east] as const] : [[west, east] as const]
    const near = boxes
      .flatMap(([from, to]) => this.#index.search(from, south, to, north))
      .flatMap((index) => {
        const town = this.towns[index]
        if (town === undefined || town.country !== country) return []
        const metres = distanceMetres(place, town)
        return metres > farthestMetres ? [] : [{ town, metres, radii: metres / radiusMetres(town) }]
      })
    const [inside] = near.filter(({ radii }) => radii <= 1).toSorted((one, other) => one.radii - other.radii)
    const [nearest] = near.toSorted((one, other) => one.metres - other.metres)
    return (inside ?? nearest)?.town
  }
}

function townsIn(text: string): Town[] {
  let country = ''
  const towns: Town[] = []
  for (const line of text.split('\n')) {
    if (line.startsWith('>')) {
      country = line.slice(1)
      continue
    }
    const [name = '', latitude, longitude, population, ...rest] = line.split('\t')
    const names = languages.flatMap((language, at) => (rest[at] ? [[language, rest[at]] as const] : []))
    towns.push({
      name,
      latitude: Number(latitude) / 1000,
      longitude: Number(longitude) / 1000,
      country,
      population: Number(population),
      names: Object.fromEntries(names),
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
