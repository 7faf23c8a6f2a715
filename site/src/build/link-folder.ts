import { copyFileSync, linkSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Copies a folder: as hard links where possible, else as copies. Creating thousands of files is the slowest part of a
 * small site on some disks; hard links take some hundredths of a second, and with a promise for each several times as
 * long.
 */
export function linkFolder(from: string, to: string): void {
  mkdirSync(to, { recursive: true })
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [given, made] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) linkFolder(given, made)
    else linkFile(given, made)
  }
}

function linkFile(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch {
    copyFileSync(from, to)
  }
}
