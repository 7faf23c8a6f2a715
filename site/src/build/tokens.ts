import { readFileSync } from 'node:fs'

export const themes = ['light', 'dark'] as const
export type Theme = (typeof themes)[number]

const file = readFileSync(new URL('../../src/styles/tokens.css', import.meta.url), 'utf8')
const colours: ReadonlyMap<string, Readonly<Record<Theme, string>>> = new Map(
  [...file.matchAll(/--([\w-]+): (?:light-dark\((#\w+), (#\w+)\)|(#\w+));/gu)].map(
    ([, name = '', light = '', dark = '', both]) => [name, { light: both ?? light, dark: both ?? dark }],
  ),
)

/** A colour of the site in both themes, such as that of `paper`. */
export function token(name: string): Readonly<Record<Theme, string>> {
  const found = colours.get(name)
  if (!found) throw new Error(`tokens.css has no colour ${name}`)
  return found
}
