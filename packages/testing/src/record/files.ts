import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { tagged, textOf, pagesOf } from '../site/built-site.ts'

const sha256 = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex')

const decompressed = (name: string, content: Buffer): Buffer => {
  if (name.endsWith('.gz')) return gunzipSync(content)
  if (name.endsWith('.br')) return brotliDecompressSync(content)
  return name.endsWith('.zst') ? zstdDecompressSync(content) : content
}

/** Sizes, hashes and versions in the descriptions of an export, which depend on compression and the program. */
const following: readonly [RegExp, string][] = [
  [/"(bytes|byteSize|hash|checksumValue|spdx:checksumValue)": ?("[^"]*"|\d+)/gu, '"$1":"…"'],
  [/"contentSize": ?"\d+ B"/gu, '"contentSize":"…"'],
  [/"@value": ?"\d+"/gu, '"@value":"…"'],
  [/\b[0-9a-f]{64}\b/gu, '…'],
  [/"version": ?"[^"]*"/gu, '"version":"…"'],
]

export async function filesOf(folder: string): Promise<string> {
  const names = (await readdir(folder, { recursive: true })).toSorted()
  const lines: string[] = []
  for (const name of names) {
    const content = await readFile(path.join(folder, name)).catch(() => undefined)
    if (content === undefined) continue
    const plain = decompressed(name, content)
    const described = /^(?:datapackage\.json|dataset\.jsonld|SHA256SUMS|catalog.*)$/u.test(
      path.basename(name),
    )
    const judged = described
      ? following.reduce((text, [what, by]) => text.replaceAll(what, by), plain.toString())
      : plain
    lines.push(`${name} ${judged.length} ${sha256(judged)}`)
  }
  return `${lines.join('\n')}\n`
}

/** Longer texts of pages, and those of other fountains than the first ones, are recorded as hashes. */
const inFull =
  /^\/(?:de\/)?(?:$|about|changes|contributors|data|regions?\/|rules|statistics|stats|waypoint\/[1-5]\/)/u

/** Digests of files, after their licence. The record of files has them, except those that depend on compression. */
const digest = /(?<=ODbL-1\.0)[0-9a-f]{64}/gu

export async function textsOf(site: string, languages: readonly string[]): Promise<string> {
  const pages = (await pagesOf(site)).filter((page) => {
    const [html] = tagged(page, 'html')
    return languages.includes(html?.attrs.find(({ name }) => name === 'lang')?.value ?? '')
  })
  const paragraphs = pages
    .toSorted((one, other) => (one.path < other.path ? -1 : 1))
    .map((page) => {
      const [body] = tagged(page, 'body')
      for (const element of page.elements)
        if (['script', 'style', 'template'].includes(element.tagName)) element.childNodes = []
      const [title] = tagged(page, 'title')
      const text =
        body === undefined ? '' : textOf(body).replaceAll(/\s+/gu, ' ').replaceAll(digest, '…').trim()
      const shown =
        inFull.test(page.path) && text.length < 6000
          ? text
          : `${text.length} characters, sha256 ${sha256(text)}`
      return `${page.path}\n${title === undefined ? '' : textOf(title)}\n${shown}`
    })
  return `${paragraphs.join('\n\n')}\n`
}
