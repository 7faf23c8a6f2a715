import { existsSync, readlinkSync } from 'node:fs'
import { link, mkdir, open, readdir, readFile, writeFile, type FileHandle } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { openOutput, type OutputOptions } from '../src/build/output.ts'
import { freshFolder } from '@openfountain/testing/site/sample'

const isLinux = process.platform === 'linux'

/** What was flushed: a path as it is found at that moment, and what the site's place leads to then. */
interface Flush {
  readonly path: string
  readonly site: string | undefined
  readonly earlierIsThere: boolean
}

/** The methods of every open file. */
async function fileMethods(): Promise<FileHandle> {
  const handle = await open('/', 'r')
  await handle.close()
  return Object.getPrototypeOf(handle) as FileHandle
}

/** Notes each flush from now on. */
async function watchFlushes(out: string, earlier: () => string): Promise<Flush[]> {
  const methods = await fileMethods()
  const flushes: Flush[] = []
  const sync = Reflect.get(methods, 'sync') as FileHandle['sync']
  const spy = vi.spyOn(methods, 'sync').mockImplementation(function (this: FileHandle) {
    const site = existsSync(out) ? siteAt(out) : undefined
    const earlierIsThere = existsSync(earlier())
    flushes.push({ path: readlinkSync(`/proc/self/fd/${this.fd}`), site, earlierIsThere })
    return sync.call(this)
  })
  onTestFinished(() => spy.mockRestore())
  return flushes
}

/** The folder that a link leads to; a folder itself where it is none. */
function siteAt(out: string): string {
  try {
    return resolve(dirname(out), readlinkSync(out))
  } catch {
    return out
  }
}

async function publish(out: string, text: string, options: OutputOptions): Promise<string> {
  const output = await openOutput(out, options)
  await mkdir(join(output.folder, 'waypoint/1'), { recursive: true })
  await writeFile(join(output.folder, 'waypoint/1/index.html'), text)
  await writeFile(join(output.folder, 'index.html'), text)
  // As a page that was taken over.
  await link(join(output.folder, 'index.html'), join(output.folder, 'again.html'))
  await output.finish('{}')
  await output.discard()
  return output.folder
}

it.runIf(isLinux)(
  'a site is on the disk before the link leads to it, and so is the link before the earlier site goes',
  async () => {
    const out = join(await freshFolder(), 'site')
    const first = await publish(out, 'first', { linked: true })
    const flushes = await watchFlushes(out, () => first)
    const second = await publish(out, 'second', { linked: true })
    const names = await readdir(second, { recursive: true })
    expect(names.length).toBeGreaterThan(5)
    for (const path of [second, ...names.map((name) => join(second, name)), dirname(out)])
      expect(flushes, path).toContainEqual({ path, site: first, earlierIsThere: true })
    expect(flushes.at(-1)).toEqual({ path: dirname(out), site: second, earlierIsThere: true })
    expect(existsSync(first)).toBe(false)
  },
)

it.runIf(isLinux)('so it is where the site is a folder', async () => {
  const out = join(await freshFolder(), 'site')
  await publish(out, 'first', {})
  const flushes = await watchFlushes(out, () => out)
  await publish(out, 'second', {})
  const place = join(dirname(out), '.site-new-')
  const inNew = flushes.flatMap(({ path }) => (path.startsWith(place) ? [path.slice(place.length + 36)] : []))
  const names = ['', 'index.html', 'again.html', 'waypoint/1/index.html', '.openfountain-site']
  expect(inNew).toEqual(expect.arrayContaining(names.map((name) => (name === '' ? '' : `/${name}`))))
  expect(flushes.at(-1)?.path).toBe(dirname(out))
  expect(await readFile(join(out, 'index.html'), 'utf8')).toBe('second')
})

it('a site that the disk does not take leaves the earlier one in its place', async () => {
  const out = join(await freshFolder(), 'site')
  const first = await publish(out, 'first', { linked: true })
  const spy = vi
    .spyOn(await fileMethods(), 'sync')
    .mockRejectedValue(Object.assign(new Error('input/output error'), { code: 'EIO' }))
  onTestFinished(() => spy.mockRestore())
  const output = await openOutput(out, { linked: true })
  await writeFile(join(output.folder, 'index.html'), 'second')
  await expect(output.finish('{}')).rejects.toThrow('input/output error')
  await output.discard()
  expect(siteAt(out)).toBe(first)
  expect(await readFile(join(out, 'index.html'), 'utf8')).toBe('first')
  // The link, the site, and what it keeps for the next build.
  expect(await readdir(dirname(out))).toHaveLength(3)
})
