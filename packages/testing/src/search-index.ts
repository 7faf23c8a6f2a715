import Database from 'better-sqlite3'

/**
 * Whether an index of search is in one piece, as FTS5 itself says it: a merge that changes less than two rows had
 * nothing to do (https://www.sqlite.org/fts5.html#the_merge_command). The merge is undone.
 */
export function isMerged(file: string, index: 'waypointNames' | 'waypointWords'): boolean {
  const database = new Database(file)
  const changes = () => Number(database.prepare('select total_changes()').pluck().get())
  try {
    database.exec('begin immediate')
    const before = changes()
    database.exec(`insert into ${index}(${index}, rank) values ('merge', -1000)`)
    return changes() - before < 2
  } finally {
    database.exec('rollback')
    database.close()
  }
}
