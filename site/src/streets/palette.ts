import { DARK, type Flavor, LIGHT, type Pois } from '@protomaps/basemaps'
import { token, type Theme } from '../build/tokens.ts'

/** The same value for several keys of the palette. */
const all = <Name extends keyof Flavor>(names: readonly Name[], colour: string): Partial<Flavor> =>
  Object.fromEntries(names.map((name) => [name, colour]))

const labels = [
  'roads_label_minor',
  'roads_label_major',
  'subplace_label',
  'city_label',
  'state_label',
  'country_label',
  'address_label',
  'ocean_label',
] as const
const halos = [
  'roads_label_minor_halo',
  'roads_label_major_halo',
  'subplace_label_halo',
  'city_label_halo',
  'state_label_halo',
  'address_label_halo',
] as const
const casings = [
  'minor_service_casing',
  'minor_casing',
  'link_casing',
  'major_casing_late',
  'highway_casing_late',
  'major_casing_early',
  'highway_casing_early',
  'bridges_other_casing',
  'bridges_minor_casing',
  'bridges_link_casing',
  'bridges_major_casing',
  'bridges_highway_casing',
] as const
const roads = [
  'minor_service',
  'minor_a',
  'minor_b',
  'link',
  'major',
  'highway',
  'bridges_minor',
  'bridges_link',
  'bridges_major',
  'bridges_highway',
] as const
const paths = ['other', 'bridges_other'] as const
/** Landmarks are drawn as names alone: those of parks in green, all others like streets. */
const landmarks = (colour: string, green: string): Pois => ({
  blue: colour,
  green,
  lapis: colour,
  pink: colour,
  red: colour,
  slategray: colour,
  tangerine: colour,
  turquoise: colour,
})
const grounds = ['hospital', 'industrial', 'school', 'aerodrome', 'military', 'pedestrian'] as const
/** What the tokens of the site colour. */
const ofTokens = (theme: Theme): Partial<Flavor> => ({
  earth: token('map-land')[theme],
  water: token('map-water')[theme],
  boundaries: token('map-border')[theme],
  ...all(labels, token('map-label')[theme]),
  ...all(halos, token('map-halo')[theme]),
})

const parks = ['park_a', 'park_b', 'wood_a', 'wood_b', 'scrub_a', 'scrub_b', 'zoo'] as const

/**
 * Protomaps' palettes in the colours of this site: land, water and labels are its tokens (`styles/tokens.css`), so that
 * streets blend into the bundled land, stay behind the fountains, and names can be read.
 */
export const palettes: Readonly<Record<Theme, Flavor>> = {
  light: {
    ...LIGHT,
    ...ofTokens('light'),
    buildings: '#e3ded2',
    ...all(parks, '#e1ebdc'),
    ...all(grounds, '#efece4'),
    beach: '#f3ecd6',
    sand: '#f3ecd6',
    ...all(casings, '#c8c2b2'),
    ...all(roads, '#ffffff'),
    ...all(paths, '#bfb59d'),
    railway: '#b9bdbb',
    pois: landmarks(token('map-label').light, '#1d6b43'),
  },
  dark: {
    ...DARK,
    ...ofTokens('dark'),
    buildings: '#25343c',
    ...all(parks, '#1c3029'),
    ...all(grounds, '#1e2b31'),
    beach: '#2a2f2b',
    sand: '#2a2f2b',
    ...all(casings, '#131c21'),
    ...all(roads, '#42525a'),
    ...all(paths, '#42525a'),
    railway: '#4a555a',
    pois: landmarks(token('map-label').dark, token('verified').dark),
  },
}
