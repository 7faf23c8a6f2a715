import { randomBytes } from 'node:crypto'
import type Database from 'better-sqlite3'
import { rootAt, type TreeReads } from '../../../log/tree.ts'
import { entryReads } from '../../nouns/entries.ts'
import { Statements } from './connection.ts'

/** How a restored database continues the one that it replaces. */
export interface Succession {
  /**
   * Whether the log has another origin now, because entries may be missing: some were lost, or the replaced database
   * was absent or unreadable.
   */
  readonly originRenewed: boolean
  /** How many entries of the replaced database are lost; absent when there was none that could be read. */
  readonly lost?: number
}

/** A line of history: its log and its identity. */
interface Line {
  readonly size: number
  readonly root: string
  readonly origin: string
  readonly revision: number
  readonly tree: TreeReads
}

function lineOf(database: Database.Database): Line {
  const { tree, head, origin } = new Statements(database).read(entryReads)
  const { id, hash } = head()
  const revision = database.prepare<[], number>('select revision from state').pluck().get() ?? 0
  return { size: id, root: hash, origin: origin(), revision, tree }
}

/** The number of entries that two logs have in common. */
async function common(one: Line, other: Line): Promise<number> {
  let known = 0
  let end = Math.min(one.size, other.size)
  // Most often one continues the other.
  for (let size = end; known < end; size = Math.ceil((known + end) / 2)) {
    const [left, right] = await Promise.all([rootAt(one.tree, size), rootAt(other.tree, size)])
    if (left === right) known = size
    else end = size - 1
  }
  return known
}

/**
 * Gives a copy of a registry the origin and revision with which it continues the replaced database. Its revision is new
 * to both, so that cached responses of either are fetched again.
 *
 * @param replaced absent when there was none, or a damaged one
 *
 * @internal
 */
export async function continued(
  copy: Database.Database,
  replaced: Database.Database | undefined,
): Promise<Succession> {
  const here = lineOf(copy)
  const there = readable(replaced)
  const lost = there && there.size - (await common(here, there))
  const isWhole = lost === 0 && (there?.root === here.root || there?.origin === here.origin)
  const origin = isWhole && there ? there.origin : randomBytes(16).toString('hex')
  const revision = Math.max(here.revision, there?.revision ?? 0) + 1
  copy.prepare('update state set origin = ?, revision = ?').run(origin, revision)
  return { originRenewed: !isWhole, lost }
}

function readable(database: Database.Database | undefined): Line | undefined {
  if (database === undefined) return undefined
  try {
    return lineOf(database)
  } catch {
    // An earlier format, or damaged: nothing is known of its log.
    return undefined
  }
}
