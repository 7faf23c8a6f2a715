/** Characters that XML 1.0 cannot hold even as a reference: control characters, lone surrogates, U+FFFE and U+FFFF. */
const impossible = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu

/** Most texts: letters of the alphabets below the surrogates, without characters to escape. */
const harmless = /^[\t\n !#-%'-;=?-\uD7FF]*$/

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  // A parser would turn a bare carriage return into a line feed.
  '\r': '&#13;',
}

/** Text for an element or an attribute in double quotes. Characters that XML cannot hold become U+FFFD. */
export function xmlText(text: string): string {
  if (harmless.test(text)) return text
  return text
    .replaceAll(impossible, '\uFFFD')
    .replaceAll(/[&<>"\r]/gu, (character) => entities[character] ?? character)
}

/** One element with text, on a line of its own; nothing when the text is absent. */
export function xmlElement(name: string, text: string | undefined): string {
  return text === undefined ? '' : `<${name}>${xmlText(text)}</${name}>`
}
