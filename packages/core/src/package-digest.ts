import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join, sep } from 'node:path'

/** Digest of files and folders in `root` with their names; a part with a dot is a file. It changes with each version. */
export async function packageDigest(root: string, parts: readonly string[]): Promise<string> {
  const hash = createHash('sha256')
  for (const part of parts) {
    const files = part.includes('.') ? [part] : await filesIn(root, part)
    for (const file of files.toSorted()) hash.update(file).update(await readFile(join(root, file)))
  }
  return hash.digest('base64url')
}

async function filesIn(root: string, folder: string): Promise<string[]> {
  const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(root.length).split(sep).join('/'))
}
