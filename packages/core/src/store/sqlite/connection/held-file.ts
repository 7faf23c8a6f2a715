import { rmSync, statSync } from 'node:fs'
import Database from 'better-sqlite3'
import { createPrivate } from './private-file.ts'

export interface HeldFile {
  release(): void
}

/** Makes and holds a file, alone, until it is released or the process ends in any way. @returns undefined when somebody holds it */
export function holdFile(file: string): HeldFile | undefined {
  for (;;) {
    const before = nodeOf(file)
    if (before === undefined) createPrivate(file)
    const held = new Database(file, { timeout: 0 })
    if (before === undefined) {
      // Made just now: whose it is, is seen when it is opened again.
      held.close()
      continue
    }
    try {
      held.exec('begin exclusive')
    } catch (error) {
      held.close()
      if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) return undefined
      throw error
    }
    // The former holder may have removed the file in between; then others no longer find this one.
    if (nodeOf(file) === before) {
      return {
        release() {
          rmSync(file, { force: true })
          held.close()
        },
      }
    }
    held.close()
  }
}

function nodeOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.ino
}
