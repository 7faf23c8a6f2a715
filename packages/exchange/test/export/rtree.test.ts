import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { fillRtree, type TreePoint } from '../../src/export/sqlite/rtree.ts'

function treeOf(count: number) {
  const database = new Database(':memory:')
  database.exec('CREATE VIRTUAL TABLE tree USING rtree(id, minx, maxx, miny, maxy)')
  const points = Array.from({ length: count }, (_, index): TreePoint => ({
    id: index * 3 + 1,
    x: ((index * 7919) % 3601) / 10 - 180,
    y: ((index * 104_729) % 1801) / 10 - 90,
  }))
  database.unsafeMode(true)
  fillRtree(database, 'tree', points)
  database.unsafeMode(false)
  return { database, points }
}

const check = (database: Database.Database) => database.prepare("SELECT rtreecheck('tree')").pluck().get()

test.each([0, 1, 51, 52, 102, 103, 2601, 2652])(
  'SQLite finds nothing wrong with a packed tree of %i points',
  (count) => {
    const { database } = treeOf(count)
    expect(check(database)).toBe('ok')
    expect(database.prepare('SELECT count(*) FROM (SELECT * FROM tree)').pluck().get()).toBe(count)
  },
)

test('a packed tree finds what a tree finds that SQLite filled', () => {
  const { database, points } = treeOf(5000)
  database.exec('CREATE VIRTUAL TABLE other USING rtree(id, minx, maxx, miny, maxy)')
  const insert = database.prepare('INSERT INTO other VALUES (?, ?, ?, ?, ?)')
  for (const { id, x, y } of points) insert.run(id, x, x, y, y)
  const within = 'minx <= 30.1 AND maxx >= -10.7 AND miny <= 55.3 AND maxy >= 12 ORDER BY id'
  const found = database.prepare(`SELECT * FROM tree WHERE ${within}`).all()
  expect(found.length).toBeGreaterThan(100)
  expect(found).toEqual(database.prepare(`SELECT * FROM other WHERE ${within}`).all())
})
