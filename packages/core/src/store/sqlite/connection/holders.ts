import { readFileSync, statSync } from 'node:fs'

/** The bytes of the file `-shm` that readers lock (https://www.sqlite.org/walformat.html#wal_locks). */
const readLocks = { first: 123, last: 127 }

const lockLine = /^\d+: (?:POSIX|OFDLCK)\s+\S+\s+\S+\s+(-?\d+)\s+\S+:(\d+)\s+(\d+)\s+(\d+|EOF)$/u

function commandOf(pid: number): string {
  try {
    return ` (${readFileSync(`/proc/${pid}/comm`, 'utf8').trim()})`
  } catch {
    return ''
  }
}

/**
 * Who reads a database through its write-ahead log, in words such as `process 4711 (sqlite3)`. Linux alone says it;
 * elsewhere, or when nobody is found, the words are general.
 */
export function readersOf(file: string): string {
  const pids = new Set<number>()
  try {
    const { ino } = statSync(`${file}-shm`)
    for (const each of readFileSync('/proc/locks', 'utf8').split('\n')) {
      const [, pid, inode, start, end] = lockLine.exec(each) ?? []
      const isRead = Number(start) <= readLocks.last && (end === 'EOF' || Number(end) >= readLocks.first)
      if (Number(inode) === ino && isRead) pids.add(Number(pid))
    }
  } catch {
    // There is no such list here, or nobody has the database open.
  }
  // Processes outside of a container have no id in it.
  const known = [...pids].filter((pid) => pid > 0)
  if (known.length === 0) return 'another process or connection'
  return known
    .map((pid) =>
      pid === process.pid ? 'another connection of this process' : `process ${pid}${commandOf(pid)}`,
    )
    .join(', ')
}
