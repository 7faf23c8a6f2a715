import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { formats } from '../../packages/exchange/src/export/formats.ts'
import { root } from '../../scripts/packages/folders.ts'

const [, ...rules] = (await readFile(join(root, 'examples/site/_headers'), 'utf8')).split(/^(?=[/*])/mu)

/** The headers of an address: those of all matching rules, each set once; `*` matches anything. */
function headersOf(address: string): Record<string, string> {
  const matching = rules.filter((rule) => {
    const [before = '', after] = (rule.split('\n')[0] ?? '').split('*')
    return after === undefined ? before === address : address.startsWith(before) && address.endsWith(after)
  })
  const found = matching.flatMap((rule) => [...rule.matchAll(/^ {2}([\w-]+): (.+)$/gmu)])
  const headers = found.map(([, name = '', value = '']) => [name.toLowerCase(), value] as const)
  expect(new Set(headers.map(([name]) => name)).size, address).toBe(headers.length)
  return Object.fromEntries(headers)
}

test('a host that reads _headers sends the type of each download that is not a common one', () => {
  const uncommon = formats.filter(({ file }) => !/\.(?:csv|json|gz)$/u.test(file))
  expect(uncommon.length).toBeGreaterThan(8)
  for (const { file, mediaType } of uncommon)
    expect([file, headersOf(`/data/${file}`)['content-type']]).toEqual([file, mediaType])
  expect(headersOf('/changes.atom')['content-type']).toBe('application/atom+xml; charset=utf-8')
})

test('what has a hash in its name is kept for ever, and every file has a fixed type', () => {
  for (const address of ['/_astro/a.css', '/_astro/explore/b.js'])
    expect(headersOf(address)['cache-control']).toBe('public, max-age=31536000, immutable')
  for (const address of ['/', '/embed/', '/data/waypoints.csv', '/map/style.json'])
    expect(headersOf(address)).toMatchObject({ 'x-content-type-options': 'nosniff' })
  expect(headersOf('/map/style.json')).not.toHaveProperty('cache-control')
})
