import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Files that wait for the disk at a time: a disk writes the journal once for all that wait. */
const atOnce = 16

/**
 * Flushes all files in a folder to the disk, then it and all folders in it. What is renamed after that is whole also after a
 * power cut. Files that did not change since they were flushed cost next to nothing.
 */
export async function flushAll(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const pathsOf = (isWanted: (entry: (typeof entries)[number]) => boolean) =>
    entries.filter(isWanted).map(({ parentPath, name }) => join(parentPath, name))
  const files = pathsOf((entry) => entry.isFile()).values()
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const file of files) await flushFile(file)
    }),
  )
  for (const one of [...pathsOf((entry) => entry.isDirectory()), folder]) await flushFolder(one)
}

async function flushFile(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Flushes which names a folder has. Some systems cannot open a folder, and some disks cannot flush one. */
export async function flushFolder(path: string): Promise<void> {
  await flushFile(path).catch((error: NodeJS.ErrnoException) => {
    if (!cannotFlush.has(error.code ?? '')) throw error
  })
}

const cannotFlush: ReadonlySet<string> = new Set(['EACCES', 'EBADF', 'EINVAL', 'EISDIR', 'ENOTSUP', 'EPERM'])
