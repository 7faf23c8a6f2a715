import { SaxesParser } from 'saxes'
import { ImportRefused } from './refusal.ts'
import { readingLimits } from './source-row.ts'

/** Callbacks for a reader of XML: elements by their local name, without namespaces and prefixes. */
export interface XmlListener {
  open(name: string, attributes: Readonly<Record<string, string>>): void
  close(name: string): void
  text(text: string): void
}

/**
 * Reads an XML text piece by piece, namespace or not. Entities that a file declares are never expanded.
 *
 * @throws ImportRefused ENTITIES, TRUNCATED, MALFORMED (with the line), TOO_LARGE, TOO_DEEP
 */
export class XmlText {
  readonly #parser = new SaxesParser({ xmlns: false, position: true })
  #depth = 0
  #pending = 0

  constructor(listener: XmlListener) {
    const parser = this.#parser
    parser.on('opentag', ({ name, attributes }) => {
      this.#pending = 0
      this.#depth += 1
      if (this.#depth > readingLimits.depth) throw new ImportRefused({ code: 'TOO_DEEP' })
      listener.open(local(name), attributes)
    })
    parser.on('closetag', ({ name }) => {
      this.#pending = 0
      this.#depth -= 1
      listener.close(local(name))
    })
    parser.on('text', (text) => listener.text(text))
    parser.on('cdata', (text) => listener.text(text))
    parser.on('doctype', (doctype) => {
      if (/<!ENTITY/iu.test(doctype)) throw new ImportRefused({ code: 'ENTITIES' })
    })
    parser.on('error', (error) => {
      const { line } = parser
      if (/unclosed tag|unexpected end|must contain a root/iu.test(error.message)) {
        throw new ImportRefused({ code: 'TRUNCATED', line }, 'The XML is not complete.', { cause: error })
      }
      throw new ImportRefused({ code: 'MALFORMED', line }, `Line ${line} is not valid XML.`, { cause: error })
    })
  }

  write(chunk: string): void {
    // The parser keeps an element's text and a DOCTYPE whole: they must not grow without bound.
    for (let at = 0; at < chunk.length; at += 65_536) {
      const piece = chunk.slice(at, at + 65_536)
      this.#pending += piece.length
      if (this.#pending > readingLimits.record)
        throw new ImportRefused({ code: 'TOO_LARGE' }, 'One XML element is over 4 MB.')
      this.#parser.write(piece)
    }
  }

  end(): void {
    this.#parser.close()
  }
}

function local(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}
