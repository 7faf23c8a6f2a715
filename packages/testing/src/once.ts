import { access, mkdir, rename, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  )

/** The first worker that asks makes it, the others wait. @returns the folder, which is read-only */
export async function onceARun(name: string, make: (folder: string) => Promise<unknown>): Promise<string> {
  const folder = path.join(tmpdir(), 'once', name)
  const [making, failed] = [`${folder}.making`, `${folder}.failed`]
  await mkdir(path.dirname(folder), { recursive: true })
  const isFirst = await mkdir(making).then(
    () => true,
    () => false,
  )
  if (isFirst && !(await exists(folder))) {
    try {
      await make(making)
      await rename(making, folder)
    } catch (error) {
      await writeFile(failed, String(error))
      throw error
    }
  }
  while (!(await exists(folder))) {
    if (await exists(failed)) throw new Error(`${name} could not be made: see the test that made it`)
    await setTimeout(50)
  }
  return folder
}
