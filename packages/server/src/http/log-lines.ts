/** Characters that end a line, control a terminal or change the direction of text: control, format, line separators. */
const controls = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

/** Untrusted text for a line of a log, with control characters escaped as in JSON. */
export const escaped = (text: string): string =>
  text.replaceAll(controls, (character) =>
    [...Array(character.length).keys()]
      .map((unit) => `\\u${character.charCodeAt(unit).toString(16).padStart(4, '0')}`)
      .join(''),
  )

/** An entry of the access log or of the security log. */
type Entry = object

type Write = (line: string) => unknown

const toOutput: Write = (line) => process.stdout.write(line)

/** Writes each entry as a line of JSON in which every control character is escaped. Default: to standard output. */
export function jsonLines(write: Write = toOutput): (entry: Entry) => void {
  return (entry) => void write(`${escaped(JSON.stringify(entry))}\n`)
}

/** Text that needs no quotes. */
const bare = /^[\w.:/{}*+@-]+$/u

function word(value: unknown): string {
  if (Array.isArray(value)) return value.map(word).join(',')
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return bare.test(text) ? text : escaped(JSON.stringify(text))
}

/**
 * Writes each entry as a line of `name=value` pairs in the order of its members. Values other than plain words are
 * quoted as in JSON, and every control character is escaped. Default: to standard output.
 */
export function textLines(write: Write = toOutput): (entry: Entry) => void {
  return (entry) => {
    const pairs = Object.entries(entry as Readonly<Record<string, unknown>>)
    const given = pairs.filter(([, value]) => value !== undefined)
    write(`${given.map(([name, value]) => `${name}=${word(value)}`).join(' ')}\n`)
  }
}
