import { invalidBecause } from '../errors.ts'
import type { PlaceLookup } from '../schemas/place.ts'
import { kindOf, kinds, vocabulary, type KnownAmenity } from '../vocabulary.ts'

export const languages = ['en', 'de', 'fr', 'it', 'es'] as const
export type Language = (typeof languages)[number]

export const kindNames: Readonly<
  Record<Language, Readonly<Partial<Record<KnownAmenity | 'unknown', string>>>>
> = {
  en: {
    ...Object.fromEntries(kinds.map((kind) => [kind, vocabulary[kind].label])),
    bubbler: 'Drinking fountain',
    unknown: 'Water point',
  },
  de: {
    bubbler: 'Trinkbrunnen',
    'bottle-filler': 'Flaschenfüller',
    tap: 'Wasserhahn',
    spring: 'Quelle',
    well: 'Grundwasserbrunnen',
    'hand-pump': 'Handpumpe',
    fountain: 'Laufbrunnen',
    wallace: 'Wallace-Brunnen',
    unknown: 'Wasserstelle',
  },
  fr: {
    bubbler: 'Fontaine à boire',
    'bottle-filler': 'Remplissage de bouteilles',
    tap: 'Robinet',
    spring: 'Source',
    well: 'Puits',
    'hand-pump': 'Pompe à main',
    fountain: 'Fontaine',
    wallace: 'Fontaine Wallace',
    unknown: 'Point d’eau',
  },
  it: {
    bubbler: 'Fontanella',
    'bottle-filler': 'Riempi-bottiglie',
    tap: 'Rubinetto',
    spring: 'Sorgente',
    well: 'Pozzo',
    'hand-pump': 'Pompa a mano',
    fountain: 'Fontana',
    wallace: 'Fontana Wallace',
    unknown: 'Punto d’acqua',
  },
  es: {
    bubbler: 'Fuente de agua potable',
    'bottle-filler': 'Rellenador de botellas',
    tap: 'Grifo',
    spring: 'Manantial',
    well: 'Pozo',
    'hand-pump': 'Bomba de mano',
    fountain: 'Fuente',
    wallace: 'Fuente Wallace',
    unknown: 'Punto de agua',
  },
}

export interface Labelled {
  readonly name: string
  readonly amenities: readonly string[]
}

type Known = Labelled & {
  readonly latitude: number
  readonly longitude: number
  readonly placeName?: string | undefined
}

/** The label of a waypoint without a name by its place, known or found; null for one that has a name. */
export type LabelOf = (waypoint: Known) => string | null

/** The label of a waypoint without a name; null for one that has a name. */
export type Labelling = (waypoint: Labelled, placeName: string | null | undefined) => string | null

/** Labels waypoints without a name by kind and place: “Tap, Lund”. @throws RegistryError INVALID_INPUT for another language */
export function labelling(given: Language = 'en'): Labelling {
  const names = kindNames[given] as (typeof kindNames)[Language] | undefined
  if (names === undefined) throw invalidBecause('language', `must be one of ${languages.join(', ')}`)
  return ({ name, amenities }, placeName) => {
    if (name !== '') return null
    const label = names[kindOf(amenities) ?? 'unknown'] ?? ''
    return placeName === null || placeName === undefined ? label : `${label}, ${placeName}`
  }
}

export const inEnglish = labelling('en')

/** Returns a function that labels waypoints by the places that are known of them, or are looked up. */
export const labelsWith =
  (labelling: Labelling, places?: PlaceLookup): LabelOf =>
  (waypoint) =>
    labelling(waypoint, waypoint.placeName ?? places?.(waypoint)?.name)
