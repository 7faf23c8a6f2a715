import type { Waypoint } from '../data/records.ts'

const either = (words: string): string =>
  words.replaceAll(/\p{L}+/gu, (word) => `${word}|${word.replace(/^./u, (letter) => letter.toUpperCase())}`)

const before = either(
  'rue|avenue|boulevard|place|quai|square|allée|route|chemin|passage|cours|impasse|via|viale|piazza|corso|calle|carrer|plaça|plaza|avinguda|paseo|passeig',
)
const after = either('strasse|straße|gasse|weg|platz|allee|ufer|street|road|avenue|lane|drive|square')
const address = new RegExp(
  `^(?:(?:\\d+\\w*|[Ff]ace) )*((?:${before})(?: [\\p{L}’'-]+){1,6}|(?:\\p{Lu}[\\p{L}’'-]* ){0,3}(?:\\p{Lu}[\\p{L}’'-]*)?(?:${after}))(?: \\d+\\w*)?$`,
  'u',
)

/** The street of a fountain without a name, where its description begins with the address of its source. */
export function streetIn({ name, source, description }: Pick<Waypoint, 'name' | 'source' | 'description'>) {
  if (name !== '' || !source) return undefined
  const [line = ''] = (description ?? '').split('\n')
  return line.split(', ').flatMap((part) => address.exec(part)?.[1] ?? [])[0]
}
