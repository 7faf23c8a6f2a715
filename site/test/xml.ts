import { SaxesParser } from 'saxes'

export interface XmlElement {
  readonly name: string
  readonly children: XmlElement[]
  text: string
}

export function parseXml(document: string): XmlElement {
  const root: XmlElement = { name: '', children: [], text: '' }
  const open = [root]
  const parser = new SaxesParser()
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name }) => {
    const element: XmlElement = { name, children: [], text: '' }
    open.at(-1)?.children.push(element)
    open.push(element)
  })
  parser.on('text', (text) => {
    const element = open.at(-1)
    if (element) element.text += text
  })
  parser.on('closetag', () => open.pop())
  parser.write(document).close()
  const [first] = root.children
  if (!first) throw new Error('The document is empty')
  return first
}
