import type Database from 'better-sqlite3'
import { curveKey, orderOf } from '../curve.ts'

/** Cells in a node of SQLite's R*Tree, whatever the page size. */
const cellsInNode = 51
/** An id of eight bytes and four edges of four. */
const cellBytes = 24
const nodeBytes = 4 + cellsInNode * cellBytes

type Box = readonly [minX: number, maxX: number, minY: number, maxY: number]

/** An entry of a node: the id of a row in a leaf, the number of a node higher up. */
interface Cell {
  readonly id: number
  readonly box: Box
}

export interface TreePoint {
  readonly id: number
  readonly x: number
  readonly y: number
}

/**
 * Fills an empty two-dimensional R*Tree with points in degrees, packed along a Hilbert curve: every node but the last
 * of a level is full, and neighbours share nodes. The savings are measured in docs/decisions/0012-packed-rtree.md. The
 * format is that of https://www.sqlite.org/rtree.html, section 6, "shadow tables".
 *
 * @param table the name of the virtual table, without anything that needs quotes
 */
export function fillRtree(database: Database.Database, table: string, points: readonly TreePoint[]): void {
  if (points.length === 0) return
  const insertNode = database.prepare(`INSERT OR REPLACE INTO ${table}_node VALUES (?, ?)`)
  const insertParent = database.prepare(`INSERT INTO ${table}_parent VALUES (?, ?)`)
  let next = 2
  /** Writes a node. The root has the number 1; the others follow level by level from the leaves up. */
  const write = (cells: readonly Cell[], depth: number, isRoot: boolean): Cell => {
    const id = isRoot ? 1 : next++
    insertNode.run(id, nodeBlob(cells, isRoot ? depth : 0))
    return { id, box: around(cells) }
  }
  const leafOf = new Int32Array(points.length)
  let level: Cell[] = []
  for (const indices of groups(orderOf(points.map(({ x, y }) => curveKey(x, y))))) {
    const cells = Array.from(indices, (index) => cellOf(points[index]))
    const leaf = write(cells, 0, points.length <= cellsInNode)
    for (const index of indices) leafOf[index] = leaf.id
    level.push(leaf)
  }
  for (let depth = 1; level.length > 1; depth += 1) {
    const isRoot = level.length <= cellsInNode
    level = Array.from(groups(level), (cells) => {
      const node = write(cells, depth, isRoot)
      for (const { id } of cells) insertParent.run(id, node.id)
      return node
    })
  }
  const insertRows = (rows: number) =>
    database.prepare(`INSERT INTO ${table}_rowid VALUES ${Array(rows).fill('(?, ?)').join()}`)
  const whole = insertRows(rowsAtATime)
  for (let start = 0; start < points.length; start += rowsAtATime) {
    const rows = points.slice(start, start + rowsAtATime)
    const statement = rows.length === rowsAtATime ? whole : insertRows(rows.length)
    statement.run(...rows.flatMap(({ id }, place) => [id, leafOf[start + place]]))
  }
}

/** Rows of a statement (benchmark row exports). */
const rowsAtATime = 50

const origin: TreePoint = { id: 0, x: 0, y: 0 }

function cellOf({ id, x, y }: TreePoint = origin): Cell {
  return { id, box: [rounded(x, 'down'), rounded(x, 'up'), rounded(y, 'down'), rounded(y, 'up')] }
}

/** Full nodes, except the last two, which share the rest: SQLite requires a third of the cells at least. */
function* groups<List extends { readonly length: number; slice(start: number, end: number): List }>(
  list: List,
): Iterable<List> {
  for (let start = 0; start < list.length;) {
    const left = list.length - start
    const size = left > cellsInNode && left < 2 * cellsInNode ? Math.ceil(left / 2) : cellsInNode
    yield list.slice(start, start + size)
    start += size
  }
}

function around(cells: readonly Cell[]): Box {
  let [minX, maxX, minY, maxY] = [Infinity, -Infinity, Infinity, -Infinity]
  for (const { box } of cells) {
    minX = Math.min(minX, box[0])
    maxX = Math.max(maxX, box[1])
    minY = Math.min(minY, box[2])
    maxY = Math.max(maxY, box[3])
  }
  return [minX, maxX, minY, maxY]
}

function nodeBlob(cells: readonly Cell[], depth: number): Buffer {
  const blob = Buffer.alloc(nodeBytes)
  blob.writeUInt16BE(depth, 0)
  blob.writeUInt16BE(cells.length, 2)
  let at = 4
  for (const { id, box } of cells) {
    at = blob.writeUInt32BE(Math.floor(id / 2 ** 32), at)
    at = blob.writeUInt32BE(id % 2 ** 32, at)
    for (const edge of box) at = blob.writeFloatBE(edge, at)
  }
  return blob
}

const single = new Float32Array(1)
const bits = new Int32Array(single.buffer)

/** A number of single precision: the nearest one, or the next that is not on the other side of the value. */
function rounded(value: number, direction: 'down' | 'up'): number {
  single[0] = value
  const nearest = Math.fround(value)
  if (direction === 'down' ? nearest <= value : nearest >= value) return nearest
  // The numbers of either sign are in the order of their bits, away from zero.
  bits[0] = (bits[0] ?? 0) + ((direction === 'up') === nearest > 0 ? 1 : -1)
  return single[0]
}
