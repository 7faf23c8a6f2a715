import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { formats } from '../../packages/exchange/src/export/formats.ts'
import { root } from '../../scripts/packages/folders.ts'

/** The rules of `examples/site/_headers`: headers by pattern. */
let rules: Map<string, Map<string, string>>

beforeAll(async () => {
  rules = new Map()
  let pattern = ''
  for (const line of (await readFile(join(root, 'examples/site/_headers'), 'utf8')).trimEnd().split('\n')) {
    if (line.startsWith('#')) continue
    const [, name, value] = /^ {2}([\w-]+): (.+)$/u.exec(line) ?? []
    if (name === undefined || value === undefined) rules.set((pattern = line), new Map())
    else rules.get(pattern)?.set(name.toLowerCase(), value)
  }
})

/** What a host sends for an address: the headers of all rules that match, where `*` stands for anything. */
function headersOf(address: string): Record<string, string> {
  const found: Record<string, string> = {}
  for (const [pattern, headers] of rules) {
    const [before = '', after] = pattern.split('*')
    const matches =
      after === undefined ? pattern === address : address.startsWith(before) && address.endsWith(after)
    if (!matches) continue
    for (const [name, value] of headers) {
      expect(found, `${name} of ${address} is set twice`).not.toHaveProperty(name)
      found[name] = value
    }
  }
  return found
}

test('a host that reads _headers sends the type of each download that is not a common one', () => {
  const common = /\.(?:csv|json|gz)$/u
  const uncommon = formats.filter(({ file }) => !common.test(file))
  expect(uncommon.length).toBeGreaterThan(8)
  for (const { file, mediaType } of uncommon)
    expect([file, headersOf(`/data/${file}`)['content-type']]).toEqual([file, mediaType])
  expect(headersOf('/changes.atom')['content-type']).toBe('application/atom+xml; charset=utf-8')
})

test('what has a hash in its name is kept for ever, and every file has a fixed type', () => {
  for (const address of ['/_astro/a.css', '/map/js/b.js', '/exploring/c.js'])
    expect(headersOf(address)['cache-control']).toBe('public, max-age=31536000, immutable')
  for (const address of ['/', '/embed/', '/data/waypoints.csv', '/map/style.json'])
    expect(headersOf(address)).toMatchObject({ 'x-content-type-options': 'nosniff' })
  expect(headersOf('/map/style.json')).not.toHaveProperty('cache-control')
})
