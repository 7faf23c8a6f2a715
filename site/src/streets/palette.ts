import { DARK, type Flavor, LIGHT } from '@protomaps/basemaps'
import { token, type Theme } from '../build/tokens.ts'

/** Colours of this site by the keys of Protomaps' palettes that they replace; the last one that fits holds. */
type Rules = readonly (readonly [keys: RegExp, colour: string])[]

const ofTokens = (theme: Theme): Rules => [
  [/^earth$/u, token('map-land')[theme]],
  [/^water$/u, token('map-water')[theme]],
  [/^boundaries$/u, token('map-border')[theme]],
  [/_label(?:_minor|_major)?$/u, token('map-label')[theme]],
  [/_label_(?:minor_|major_)?halo$/u, token('map-halo')[theme]],
]

const parks = /^(?:park|wood|scrub)_[ab]$|^zoo$/u
const grounds = /^(?:hospital|industrial|school|aerodrome|military|pedestrian)$/u
const sands = /^(?:beach|sand)$/u
const casings = /^(?!tunnel).+_casing/u
const roads = /^(?:bridges_)?(?:link|major|highway)$|^minor_[ab]$|^(?:minor_service|bridges_minor)$/u
const paths = /^(?:bridges_)?other$/u

/** A palette with the site's colours; landmarks are drawn as names alone: those of parks in green, all others like streets. */
function recoloured(flavor: Flavor, rules: Rules, landmark: string, green: string): Flavor {
  const colourOf = (key: string): string | undefined => rules.findLast(([keys]) => keys.test(key))?.[1]
  const colours = Object.entries(flavor).map(([key, colour]) => [key, colourOf(key) ?? colour] as const)
  const pois = Object.keys(flavor.pois ?? {}).map((key) => [key, key === 'green' ? green : landmark])
  return {
    ...(Object.fromEntries(colours) as unknown as Flavor),
    pois: Object.fromEntries(pois) as Flavor['pois'],
  }
}

/** Protomaps' palettes in the tokens of this site, so that streets blend into the bundled land and stay behind the fountains. */
export const palettes: Readonly<Record<Theme, Flavor>> = {
  light: recoloured(
    LIGHT,
    [
      ...ofTokens('light'),
      [/^buildings$/u, '#e3ded2'],
      [parks, '#e1ebdc'],
      [grounds, '#efece4'],
      [sands, '#f3ecd6'],
      [casings, '#c8c2b2'],
      [roads, '#ffffff'],
      [paths, '#bfb59d'],
      [/^railway$/u, '#b9bdbb'],
    ],
    token('map-label').light,
    '#1d6b43',
  ),
  dark: recoloured(
    DARK,
    [
      ...ofTokens('dark'),
      [/^buildings$/u, '#25343c'],
      [parks, '#1c3029'],
      [grounds, '#1e2b31'],
      [sands, '#2a2f2b'],
      [casings, '#131c21'],
      [roads, '#42525a'],
      [paths, '#42525a'],
      [/^railway$/u, '#4a555a'],
    ],
    token('map-label').dark,
    token('verified').dark,
  ),
}
