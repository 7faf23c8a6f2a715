import { readdir, readFile } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { parse, type DefaultTreeAdapterTypes } from 'parse5'

type Element = DefaultTreeAdapterTypes.Element
type Node = DefaultTreeAdapterTypes.Node

export interface BuiltPage {
  readonly path: string
  readonly html: string
  readonly elements: readonly Element[]
}

export const attribute = (element: Element, name: string): string | undefined =>
  element.attrs.find((one) => one.name === name)?.value

export function textOf(node: Node): string {
  if ('value' in node) return node.value
  return 'childNodes' in node ? node.childNodes.map(textOf).join('') : ''
}

export const tagged = ({ elements }: BuiltPage, tag: string): Element[] =>
  elements.filter(({ tagName }) => tagName === tag)

export async function filesOf(site: string): Promise<string[]> {
  const entries = await readdir(site, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return files.map(({ parentPath, name }) => posix.relative(site, join(parentPath, name)))
}

export async function pagesOf(site: string, base = '/'): Promise<BuiltPage[]> {
  const pages: BuiltPage[] = []
  for (const file of await filesOf(site)) {
    if (!file.endsWith('.html')) continue
    const html = await readFile(join(site, file), 'utf8')
    pages.push({
      path: `${base}${file.replace(/(?:^|(?<=\/))index\.html$/u, '')}`,
      html,
      elements: elementsBelow(parse(html)),
    })
  }
  return pages
}

export function pageAt(pages: readonly BuiltPage[], path: string): BuiltPage {
  const found = pages.find((one) => one.path === path)
  if (!found) throw new Error(`There is no page ${path}`)
  return found
}

function elementsBelow(node: Node): Element[] {
  const own = 'tagName' in node ? [node] : []
  const inside = 'content' in node ? [node.content] : 'childNodes' in node ? node.childNodes : []
  return [...own, ...inside.flatMap(elementsBelow)]
}

export function internalAddresses({ elements }: BuiltPage, origin: string): string[] {
  const names: Readonly<Record<string, string>> = {
    a: 'href',
    link: 'href',
    script: 'src',
    img: 'src',
    iframe: 'src',
  }
  return elements.flatMap((element) => {
    const name = names[element.tagName]
    const address = name === undefined ? undefined : attribute(element, name)
    if (address === undefined) return []
    if (address.startsWith(origin)) return [address.slice(origin.length)]
    return /^[a-z][a-z0-9+.-]*:/iu.test(address) || address.startsWith('//') ? [] : [address]
  })
}
