/** @module-tag browser */
import { beforeAll, describe, expect, test } from 'vitest'
import { house } from '../generate/house.ts'
import { endpoints } from '../generate/routes.ts'
import { writePath } from '../generate/write-path.ts'

/** What can be reached from where by the arrows of the pictures of a page. */
function reached(page: string, from: string): ReadonlySet<string> {
  const arrows = [...page.matchAll(/^ {2}(\w+) -->(?:\|\d+\|)? (\w+)$/gmu)]
  const seen = new Set([from])
  for (const one of seen) for (const [, start, end = ''] of arrows) if (start === one) seen.add(end)
  return seen
}

/** The cells of the rows of a table, by its heading. */
function rowsUnder(page: string, heading: RegExp): string[][] {
  const cells = (line: string) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim())
  const lines = page.split('\n')
  const start = lines.findIndex((line) => heading.test(line))
  const end = lines.findIndex((line, index) => index > start && !line.startsWith('|'))
  return [lines[start] ?? '', ...lines.slice(start + 2, end)].map(cells)
}

describe('the pictures of the house', () => {
  test('leave out no import that runs: arrows lead to everything that a room imports', () => {
    const page = house()
    const [[, ...rooms] = [], ...rows] = rowsUnder(page, /^\| +\| accounts/u)
    expect(rooms).toContain('store/sqlite')
    const id = (name: string) => name.replaceAll(/\W/gu, '_')
    for (const [from = '', ...counts] of rows)
      for (const [column, count] of counts.entries()) {
        if (count === '' || count.startsWith('0')) continue
        const to = rooms[column] ?? ''
        expect(reached(page, id(from.replaceAll('*', ''))), `${from} imports ${to}`).toContain(id(to))
      }
  })
})

describe('the picture of the write path', () => {
  let page: string
  beforeAll(async () => {
    page = await writePath()
  })

  test('leads from a call of the library through the port to the rows, the fold and the tree', () => {
    const found = reached(page, 'Waypoints_create')
    for (const name of ['Store_write', 'SqliteStore_write', 'script', 'fold', 'Frontier', 'loads', 'saves'])
      expect(found).toContain(name)
  })

  test('has for every write of the API the decision that it asks, with the entries that this makes', async () => {
    const rows = rowsUnder(page, /^\| decision /u)
    const entriesOf = new Map(rows.map(([decision = '', , , entries = '']) => [decision, entries]))
    for (const { decision, method, route } of await endpoints()) {
      if (decision === undefined) continue
      const row = rows.find(([name]) => name === `\`${decision}\``)
      expect(row?.[2] ?? '', decision).toContain(`\`${method} ${route}\``)
    }
    expect(entriesOf.get('`createReview`')).toBe('review created')
    expect(entriesOf.get('`deleteArea`')).toBe('area deleted')
    expect(entriesOf.get('`mirrorEntry`')).toBe('those of another registry')
  })
})
