import { folded } from '../search/letters.ts'

/** Words for the kind of a thing, not for a particular one; folded, in the languages of the files seen so far. */
const generic = new Set(
  (
    'fountain|fountains|drinking|with|protected|dug|standpipe|water|drink|public|tap|taps|point|waterpoint|bubbler|borehole|bore|hole|hand|pump|' +
    'bottle|filling|filler|station|location|temporary|refill|well|spring|free|potable|no|nr|the|' +
    'brunnen|trinkbrunnen|trinkwasser|trinkwasserbrunnen|trinkhydrant|wasser|hydrant|offentlicher|privater|stadtischer|mit|tranke|auslaufbrunnen|' +
    'grundwasserbrunnen|notwasserbrunnen|brunnlein|quelle|wasserstelle|' +
    'fontaine|fontaines|eau|boire|borne|point|source|a|d|l|n|de|du|la|le|les|des|publique|wallace|bois|totem|arceau|' +
    'fontana|fontane|fontanella|fontanelle|acqua|potabile|pubblica|nasone|sorgente|di|del|della|' +
    'fuente|fuentes|punto|agua|beber|publica|font|fonts|aigua|potable|deu|fonte|bebedouro|bica|el|d|en|' +
    'fontein|drinkwater|kraan|vatten|dricksvatten|vann|drikkevann|drikkevand|vand|kran|zdroj|pitko|studna'
  ).split('|'),
)

/** In the Germanic languages the kind is the end of the word: Löwenbrunnen, Lejonbrunnen. */
const compound = /(?<=\p{L}{2})(?:brunnen|brunnlein|brunnchen|brunn|fontein|fontan|bron)$/u

/** The distinctive words of a name: "placa major" of "Font de la Plaça Major". */
export function distinctive(name: string): string {
  return folded(name)
    .split(' ')
    .map((word) => (generic.has(word) ? '' : word.replace(compound, '')))
    .filter((word) => word !== '' && !generic.has(word))
    .join(' ')
}

/** Whether a name says no more than a kind, perhaps with a number of the source: "Öffentlicher Brunnen 349". */
export function isKindAlone(name: string): boolean {
  const words = folded(name.replaceAll(/\p{N}[\p{N}./-]*\p{L}?(?!\p{L})/gu, ' '))
  // Articles alone are no kind: there are fountains called "A".
  return words === '' || (/\S{3}/u.test(words) && distinctive(words) === '')
}

const atCoordinates = / at -?\d+\.\d{4}, -?\d+\.\d{4}$/u

/** Whether a name looks generated: nothing distinctive before its comma, or coordinates at its end. */
export function looksDescribed(name: string): boolean {
  const comma = name.indexOf(', ')
  return atCoordinates.test(name) || (comma > 0 && isKindAlone(name.slice(0, comma)))
}

/** How similar two names are, 0 to 1: the Dice coefficient of the letter pairs of their distinctive words, if any. */
export function nameSimilarity(a: string, b: string): number | undefined {
  const [first, second] = [distinctive(a), distinctive(b)]
  if (first === '' || second === '') return undefined
  if (first === second) return 1
  const [left, right] = [letterPairs(first), letterPairs(second)]
  if (left.length === 0 || right.length === 0) return 0
  const counts = new Map<string, number>()
  for (const pair of left) counts.set(pair, (counts.get(pair) ?? 0) + 1)
  let shared = 0
  for (const pair of right) {
    const count = counts.get(pair) ?? 0
    if (count === 0) continue
    counts.set(pair, count - 1)
    shared += 1
  }
  return (2 * shared) / (left.length + right.length)
}

function letterPairs(text: string): string[] {
  return text
    .split(' ')
    .flatMap((word) =>
      word.length === 1 ? [word] : Array.from({ length: word.length - 1 }, (_, at) => word.slice(at, at + 2)),
    )
}
