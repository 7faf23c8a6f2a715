import { SaxesParser } from 'saxes'
import { ImportRefused } from './refusal.ts'
import { readingLimits } from './source-row.ts'

/** A format of XML: elements by their local name, without namespaces and prefixes. */
export interface XmlListener {
  open(name: string, attributes: Readonly<Record<string, string>>): void
  /** @param text the text of the element since the last tag, without white space around it */
  close(name: string, text: string): void
  /** Each piece of text as it stands, for elements that hold text beside others. */
  text?(piece: string): void
}

/**
 * The rows that a listener finds in an XML text and adds to `rows`. Entities that a file declares are never expanded.
 *
 * @throws ImportRefused ENTITIES, TRUNCATED, MALFORMED (with the line), TOO_LARGE, TOO_DEEP
 */
export async function* readXml<Row>(
  chunks: AsyncIterable<string>,
  rows: Row[],
  listener: XmlListener,
): AsyncGenerator<Row[]> {
  const parser = new SaxesParser({ xmlns: false, position: true })
  let [depth, pending, content] = [0, 0, '']
  const tag = (levels: 1 | -1): void => {
    ;[pending, content] = [0, '']
    depth += levels
    if (depth > readingLimits.depth) throw new ImportRefused({ code: 'TOO_DEEP' })
  }
  parser.on('opentag', ({ name, attributes }) => {
    tag(1)
    listener.open(local(name), attributes)
  })
  parser.on('closetag', ({ name }) => {
    const text = content.trim()
    tag(-1)
    listener.close(local(name), text)
  })
  const add = (text: string): void => {
    content += text
    listener.text?.(text)
  }
  parser.on('text', add)
  parser.on('cdata', add)
  parser.on('doctype', (doctype) => {
    if (/<!ENTITY/iu.test(doctype)) throw new ImportRefused({ code: 'ENTITIES' })
  })
  parser.on('error', (cause) => {
    const { line } = parser
    if (/unclosed tag|unexpected end|must contain a root/iu.test(cause.message))
      throw new ImportRefused({ code: 'TRUNCATED', line }, 'The XML is not complete.', { cause })
    throw new ImportRefused({ code: 'MALFORMED', line }, `Line ${line} is not valid XML.`, { cause })
  })
  for await (const chunk of chunks) {
    // The parser keeps an element's text and a DOCTYPE whole: they must not grow without bound.
    for (let at = 0; at < chunk.length; at += 65_536) {
      const piece = chunk.slice(at, at + 65_536)
      pending += piece.length
      if (pending > readingLimits.record)
        throw new ImportRefused({ code: 'TOO_LARGE' }, 'One XML element is over 4 MB.')
      parser.write(piece)
    }
    yield rows.splice(0)
  }
  parser.close()
  yield rows.splice(0)
}

const local = (name: string): string => name.slice(name.indexOf(':') + 1)
