import fs, { existsSync, readlinkSync } from 'node:fs'
import { chmod, link, mkdir, readdir, readFile, realpath, writeFile } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { delimiter, dirname, join } from 'node:path'
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { openOutput, type OutputOptions } from '../src/build/output.ts'
import { newFolder } from '@openfountain/testing/folder'

// Without `sync`, each file is flushed by itself.
beforeEach(() => {
  vi.stubEnv('PATH', '')
  return () => vi.unstubAllEnvs()
})

function onFlush(see: (path: string) => void): void {
  const { fsync } = fs
  const spy = vi.spyOn(fs, 'fsync').mockImplementation((file, done) => {
    try {
      see(readlinkSync(`/proc/self/fd/${file}`))
    } catch (error) {
      return done(error as Error)
    }
    fsync(file, done)
  })
  syncBuiltinESMExports()
  onTestFinished(() => {
    spy.mockRestore()
    syncBuiltinESMExports()
  })
}

async function publish(out: string, text: string, options: OutputOptions): Promise<string> {
  const output = await openOutput(out, options)
  try {
    await mkdir(join(output.folder, 'waypoint'), { recursive: true })
    await writeFile(join(output.folder, 'waypoint/index.html'), text)
    // Like a reused page.
    await link(join(output.folder, 'waypoint/index.html'), join(output.folder, 'index.html'))
    await output.finish('{}')
    return output.folder
  } finally {
    await output.discard()
  }
}

it.runIf(process.platform === 'linux').each([true, false])(
  'a site is on the disk before it takes its place, and so is its place before the earlier site goes; as a link: %s',
  async (linked) => {
    const out = join(newFolder(), 'site')
    const first = await publish(out, 'first', { linked })
    const flushes: { path: string; site: string; earlierIsThere: boolean }[] = []
    const siteNow = () => (existsSync(out) ? (linked ? join(dirname(out), readlinkSync(out)) : out) : '')
    const isThere = () => existsSync(linked ? first : out)
    onFlush((path) => flushes.push({ path, site: siteNow(), earlierIsThere: isThere() }))
    const second = await publish(out, 'second', { linked })
    const names = await readdir(out, { recursive: true })
    expect(names.length).toBeGreaterThan(3)
    for (const path of [second, ...names.map((name) => join(second, name))])
      expect(flushes, path).toContainEqual({ path, site: linked ? first : out, earlierIsThere: true })
    const last = { path: dirname(out), site: linked ? second : out, earlierIsThere: true }
    expect(flushes.at(-1)).toEqual(last)
    expect([existsSync(first), await readFile(join(out, 'index.html'), 'utf8')]).toEqual([false, 'second'])
  },
)

it('a site that the disk does not take leaves the earlier one in its place', async () => {
  const out = join(newFolder(), 'site')
  const first = await publish(out, 'first', { linked: true })
  onFlush(() => {
    throw new Error('input/output error')
  })
  await expect(publish(out, 'second', { linked: true })).rejects.toThrow('input/output error')
  expect(await realpath(out)).toBe(await realpath(first))
  expect(await readFile(join(out, 'index.html'), 'utf8')).toBe('first')
  expect(await readdir(dirname(out))).toHaveLength(2)
})

it.runIf(process.platform === 'linux')(
  'where there is sync, it flushes the disk of the site before the site takes its place',
  async () => {
    const folder = newFolder()
    const [out, program] = [join(folder, 'site'), join(folder, 'sync')]
    await writeFile(
      program,
      `#!/bin/sh\necho "$@" >>'${folder}/given'\n[ -e '${out}' ] && exit 1 || exit 0\n`,
    )
    await chmod(program, 0o755)
    vi.stubEnv('PATH', `${folder}${delimiter}/bin`)
    const flushed: string[] = []
    onFlush((path) => flushed.push(path))
    const site = await publish(out, 'first', {})
    expect(await readFile(join(folder, 'given'), 'utf8')).toBe(`-f ${site}\n`)
    expect([...new Set(flushed)]).toEqual([folder])
    await publish(out, 'second', {})
    expect(flushed).toContainEqual(expect.stringContaining('index.html'))
  },
)
