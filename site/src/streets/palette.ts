import { DARK, type Flavor, LIGHT } from '@protomaps/basemaps'
import { token, type Theme } from '../build/tokens.ts'

/** Colours of this site by the keys of Protomaps' palettes that they replace; the last one that fits holds. */
const rules: readonly (readonly [keys: RegExp, colours: Readonly<Record<Theme, string>>])[] = [
  [/^earth$/u, token('map-land')],
  [/^water$/u, token('map-water')],
  [/^boundaries$/u, token('map-border')],
  [/_label(?:_minor|_major)?$/u, token('map-label')],
  [/_label_(?:minor_|major_)?halo$/u, token('map-halo')],
  [/^buildings$/u, { light: '#e3ded2', dark: '#25343c' }],
  [/^(?:park|wood|scrub)_[ab]$|^zoo$/u, { light: '#e1ebdc', dark: '#1c3029' }],
  [/^(?:hospital|industrial|school|aerodrome|military|pedestrian)$/u, { light: '#efece4', dark: '#1e2b31' }],
  [/^(?:beach|sand)$/u, { light: '#f3ecd6', dark: '#2a2f2b' }],
  [/^(?!tunnel).+_casing/u, { light: '#c8c2b2', dark: '#131c21' }],
  [
    /^(?:bridges_)?(?:link|major|highway)$|^minor_[ab]$|^(?:minor_service|bridges_minor)$/u,
    { light: '#ffffff', dark: '#42525a' },
  ],
  [/^(?:bridges_)?other$/u, { light: '#bfb59d', dark: '#42525a' }],
  [/^railway$/u, { light: '#b9bdbb', dark: '#4a555a' }],
]

/** A palette with the site's colours; landmarks are drawn as names alone: those of parks in green, all others like streets. */
function recoloured(flavor: Flavor, theme: Theme, green: string): Flavor {
  const colours = Object.entries(flavor).map(
    ([key, colour]) => [key, rules.findLast(([keys]) => keys.test(key))?.[1][theme] ?? colour] as const,
  )
  const pois = Object.keys(flavor.pois ?? {}).map((key) => [
    key,
    key === 'green' ? green : token('map-label')[theme],
  ])
  return {
    ...(Object.fromEntries(colours) as unknown as Flavor),
    pois: Object.fromEntries(pois) as Flavor['pois'],
  }
}

/** Protomaps' palettes in the tokens of this site, so that streets blend into the bundled land and stay behind the fountains. */
export const palettes: Readonly<Record<Theme, Flavor>> = {
  light: recoloured(LIGHT, 'light', '#1d6b43'),
  dark: recoloured(DARK, 'dark', token('verified').dark),
}
