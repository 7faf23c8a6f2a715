import type { Chance } from './chance.ts'

const categories =
  'Lu Ll Lt Lm Lo Mn Mc Me Nd Nl No Pc Pd Ps Pe Pi Pf Po Sm Sc Sk So Zs Zl Zp Cc Cf Cs Co Cn'.split(' ')

/** Some characters of each category, spread over Unicode. */
const characters: ReadonlyMap<string, readonly string[]> = new Map(
  categories.map((category) => {
    const pattern = new RegExp(`^\\p{${category}}$`, 'u')
    const found: string[] = []
    // Most categories are scattered; a sample of the large ones is enough.
    for (let code = 0; code <= 0x10_ff_ff && found.length < 4000; code += code < 0x30_00 ? 1 : 61) {
      const character = String.fromCodePoint(code)
      if (pattern.test(character)) found.push(character)
    }
    return [category, found]
  }),
)

/** Texts that some program takes for ends of lines or elements, formulas, paths or reserved names. */
export const hostilePieces = [
  ['\u2028', '\u2029', '\n', '\r\n', '\t', '\u00a0', '\ufeff', '\u202e', '\u2066', '\u200f'],
  ['\u{e0001}\u{e0041}', '\ufffe', '\uffff', '\ufdd0', '\u{1fffe}', '\u{10ffff}', '\ufffd'],
  ['\u0300\u0300', 'ﷺ', '👩‍👩‍👧‍👦', '\u{1f1e6}\u{1f1e6}'],
  ['<', '>', '&', '"', "'", '`', '\\', '${', '{{', '%s', '%00', ']]>', '-->'],
  ['</script>', '</style>', '<!--', '<?xml'],
  ['=1+1', '+1', '-1', '@SUM', '|', ';', "'; drop table waypoints; --", 'NULL', 'NaN', '1e999', '[1]', '{}'],
  ['__proto__', 'constructor', '../', '..', 'CON', 'javascript:alert(1)'],
  ['ı', 'İ', 'ß', 'ǅ', '水', 'e\u0301', '٣'],
].flat()

/** A text of pieces, and of characters of every category; a few of them are refused. */
export function hostileText(chance: Chance): string {
  if (chance.isIn(4)) return chance.pick(['ﷺ', '\u{1f30a}', 'e\u0300\u0301', '\u202e']).repeat(40)
  return Array.from({ length: 1 + chance.below(5) }, () =>
    chance.isIn(40)
      ? chance.pick(hostilePieces)
      : chance.pick(characters.get(chance.pick(categories.filter((each) => each !== 'Cs'))) ?? ['']),
  ).join('')
}

const latitudes = [
  -90, 90, 89.999999999999, -85.05112877980659, 85.06, 0, -0, 5e-324, -1e-7, 55.55555555555555,
]
const longitudes = [-180, 180, 179.999999999999, -179.99999999999997, 0, -0, 5e-324, 1e-7, 13.000000000000002]

export const hostilePlace = (chance: Chance) => ({
  latitude: chance.pick(latitudes),
  longitude: chance.pick(longitudes),
})

/** A ring of an area: the smallest, largest, most crossed and longest accepted ones. */
export function hostileRing(chance: Chance): [number, number][] {
  const corners = Array.from({ length: chance.pick([3, 3, 5, 40]) }, (): [number, number] => [
    chance.pick(longitudes),
    chance.pick(latitudes),
  ])
  const [first = [0, 0]] = corners
  return [...corners, first]
}

/** Members of an area, with any JSON value. */
export function hostileProperties(chance: Chance): Record<string, unknown> {
  const value = (depth: number): unknown => {
    const kind = chance.below(depth > 10 ? 4 : 6)
    if (kind === 0) return chance.pick([1e308, -0, 5e-324, 2 ** 53, null, true])
    if (kind < 4) return chance.pick([hostileText(chance), '\ud800', '\u0000', 'x'.repeat(5000)])
    const members = Array.from({ length: chance.below(4) }, () => value(depth + 1))
    return kind === 4 ? members : Object.fromEntries(members.map((member) => [hostileText(chance), member]))
  }
  const names = ['__proto__', 'name', 'id', 'type', 'geometry', '', '\ud800', 'a b', 'é', hostileText(chance)]
  return Object.fromEntries(names.filter(() => chance.isIn(50)).map((name) => [name, value(0)]))
}

/** Accepted addresses, and some refused ones. */
export const hostileAddress = (chance: Chance, number: number): string =>
  chance.pick([
    `https://example.org/Uni${number}Zq?a=1&b="'<x>#${encodeURIComponent('\u202e')}`,
    `HTTP://EXAMPLE.ORG:80/../Uni${number}Zq/%00/%ff`,
    `https://user:pa%20ss@[::1]:8443/Uni${number}Zq`,
    `https://xn--nxasmq6b.example/Uni${number}Zq'onerror='alert(1)`,
    `https://пример.example/Uni${number}Zq\\..\\`,
    `https://example.org/Uni${number}Zq${'x'.repeat(1500)}`,
    `javascript:Uni${number}Zq`,
  ])
