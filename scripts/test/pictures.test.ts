/** @module-tag browser */
import { expect, test } from 'vitest'
import { house } from '../generate/house.ts'
import { writePath } from '../generate/write-path.ts'

/** The nodes that are reachable from one by the arrows of a page's pictures. */
function reached(page: string, from: string): ReadonlySet<string> {
  const arrows = [...page.matchAll(/^ {2}(\w+) -->(?:\|\d+\|)? (\w+)$/gmu)]
  const seen = new Set([from])
  for (const one of seen) for (const [, start, end = ''] of arrows) if (start === one) seen.add(end)
  return seen
}

test('the pictures of the house leave out no import that runs: arrows lead to everything that a room imports', () => {
  const page = house()
  const cells = (line: string) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim())
  const [table = ''] = /^\| +\| accounts[^]*?\n(?!\|)/mu.exec(page) ?? []
  const [[, ...rooms] = [], , ...rows] = table.trim().split('\n').map(cells)
  expect(rooms).toContain('store/sqlite')
  const id = (name: string) => name.replaceAll('*', '').replaceAll(/\W/gu, '_')
  for (const [from = '', ...counts] of rows)
    for (const [column, count] of counts.entries())
      if (count !== '' && !count.startsWith('0'))
        expect(reached(page, id(from)), `${from} imports ${rooms[column]}`).toContain(id(rooms[column] ?? ''))
})

test('the picture of the write path leads from a call of the library through the port to the rows, the fold and the tree', async () => {
  const found = reached(await writePath(), 'Waypoints_create')
  for (const name of [
    'Store_write',
    'EngineStore_write',
    'WriteQueue',
    'WritingEngine_run',
    'script',
    'fold',
    'Frontier',
    'loading',
    'save',
    'SqliteWriter',
  ])
    expect(found).toContain(name)
})
