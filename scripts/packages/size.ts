import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** The disk usage of installed packages. */
export interface InstalledSize {
  /** Mebibytes, as `du -m` counts them. */
  readonly total: number
  /** The part of it that is the project's own source maps. */
  readonly maps: number
  /** The ten largest packages, largest first, a line each. */
  readonly largest: readonly string[]
}

/** The block size of most file systems, in bytes. */
const blockBytes = 4096
const mebibyte = 2 ** 20

/**
 * The size of a folder's `node_modules`. It is computed from file lengths, so that it is the same on every disk: files
 * and folders in whole blocks, hard links once.
 */
export async function installedSize(folder: string): Promise<InstalledSize> {
  const modules = join(folder, 'node_modules')
  const entries = await readdir(modules, { recursive: true, withFileTypes: true })
  const counted = new Set<string>()
  const packages = new Map<string, number>()
  let maps = 0
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name)
    const { dev, ino, size } = await lstat(path)
    if (counted.has(`${dev}:${ino}`)) continue
    counted.add(`${dev}:${ino}`)
    const bytes = entry.isDirectory() ? blockBytes : Math.ceil(size / blockBytes) * blockBytes
    const name = packageOf(path.slice(modules.length + 1))
    if (name.startsWith('@openfountain/') && path.endsWith('.js.map')) maps += bytes
    packages.set(name, (packages.get(name) ?? 0) + bytes)
  }
  const largest = [...packages]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, 10)
    .map(([name, bytes]) => `${(bytes / mebibyte).toFixed(1)} MB ${name}`)
  return {
    total: packages.values().reduce((sum, bytes) => sum + bytes, 0) / mebibyte,
    maps: maps / mebibyte,
    largest,
  }
}

/** The innermost package around a path below `node_modules`, with the packages around it. */
function packageOf(path: string): string {
  const parts = path.split('/')
  const inner = parts.lastIndexOf('node_modules') + 1
  return parts.slice(0, inner + (parts[inner]?.startsWith('@') === true ? 2 : 1)).join('/')
}
