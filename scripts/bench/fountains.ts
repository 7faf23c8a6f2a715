import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Chance } from '@openfountain/testing/chance'

/**
 * Synthetic fountains, the same for the same seed. Their distribution is like that of real ones: crowded in towns whose
 * sizes follow Zipf's law, with street names that repeat, a few words that occur in half of all names, a few that occur
 * in three, and empty oceans.
 */

export interface Fountain {
  readonly ref: string
  readonly name: string
  readonly latitude: number
  readonly longitude: number
  readonly description?: string
  readonly amenities: readonly string[]
  readonly maintainer?: string
  readonly region: string
}

/** A generator of numbers from 0 to 1 that a seed repeats. */
export function seeded(seed: number): () => number {
  const chance = new Chance(seed)
  return () => chance.share()
}

const beginnings = ['Al', 'Bran', 'Cor', 'Dal', 'Esch', 'Fär', 'Grün', 'Hol', 'Ier', 'Jon', 'Kirch', 'Linden']
const middles = ['a', 'en', 'er', 'i', 'in', 'o', 'el', 'is', 'ö', 'um', 'av', 'ent', 'ar', 'ung', 'é', 'ost']
const endings = [
  'berg',
  'dorf',
  'feld',
  'gate',
  'hof',
  'holm',
  'mond',
  'ville',
  'weg',
  'straße',
  'plaza',
  'ton',
]
const kinds = [
  ['Fountain', 0.3],
  ['Drinking fountain', 0.2],
  ['Trinkbrunnen', 0.12],
  ['Fontaine', 0.1],
  ['Fuente', 0.08],
  ['Fontanella', 0.06],
  ['Water tap', 0.06],
  ['Bottle filler', 0.04],
  ['飲み水', 0.02],
  ['Source', 0.02],
] as const
const amenities = [
  'drinking-fountain',
  'bottle-filler',
  'wheelchair',
  'dog-bowl',
  'fountain',
  'indoor',
  'seasonal',
]
const remarks = [
  'Cold water all year',
  'Closed from November to March',
  'Beside the playground, behind the old lime tree',
  'Low pressure in summer',
  'Button is stiff; press it twice',
  'Reachable without steps',
]

/** A word that occurs in exactly three names of a large enough registry. */
export const rareWord = 'Quellnymphe'

interface Town {
  readonly name: string
  readonly latitude: number
  readonly longitude: number
  readonly spread: number
}

function wordsFrom(random: () => number, count: number): string[] {
  const pick = (from: readonly string[]): string => from[Math.floor(random() * from.length)] ?? ''
  return Array.from(
    { length: count },
    () => `${pick(beginnings)}${pick(middles)}${pick(middles)}${pick(endings)}`,
  )
}

/** Towns are on land-like bands: none between 170° and 120° west, in the Pacific. */
function townsFrom(random: () => number, count: number): Town[] {
  return wordsFrom(random, count).map((name) => ({
    name,
    latitude: -38 + random() * 98,
    longitude: -118 + random() * 268,
    spread: 0.02 + random() * 0.2,
  }))
}

function kindFor(at: number): string {
  let rest = at
  for (const [kind, share] of kinds) {
    rest -= share
    if (rest < 0) return kind
  }
  return kinds[0][0]
}

/** Zipf-like: the first entries are far more frequent than the last. */
function skewed(random: () => number, size: number, skew: number): number {
  return Math.floor(size * random() ** skew)
}

const townCount = 4000

/** Where the towns are, in degrees. */
export function places(
  seed = 20260101,
): readonly { readonly latitude: number; readonly longitude: number }[] {
  return townsFrom(seeded(seed), townCount)
}

/** `count` fountains; a smaller count gives a prefix of a larger one. */
export function* fountains(count: number, seed = 20260101): Generator<Fountain> {
  const random = seeded(seed)
  const towns = townsFrom(random, townCount)
  const streets = wordsFrom(random, 6000)
  const around = () => random() + random() + random() - 1.5
  for (let index = 0; index < count; index++) {
    const town = towns[skewed(random, towns.length, 2)] ?? towns[0]
    if (town === undefined) return
    const street = streets[skewed(random, streets.length, 3)] ?? ''
    const rare = index % 66_000 === 7 && index < 198_000
    const house = 1 + Math.floor(random() * 240)
    const remark = random()
    yield {
      ref: `node/${1_000_000 + index * 7}`,
      name: `${rare ? rareWord : kindFor(random())} ${street} ${house}`,
      latitude: Math.round((town.latitude + around() * town.spread) * 1e6) / 1e6,
      longitude: Math.round((town.longitude + around() * town.spread) * 1e6) / 1e6,
      ...(remark < 0.25 && { description: remarks[Math.floor(remark * 4 * remarks.length)] ?? '' }),
      amenities: amenities.filter(() => random() < 0.25),
      ...(random() < 0.3 && { maintainer: `City of ${town.name}` }),
      region: town.name,
    }
  }
}

/** Changes with this file, so that outdated data are never measured. */
export const edition = createHash('sha256')
  .update(readFileSync(import.meta.filename))
  .digest('hex')
  .slice(0, 12)
