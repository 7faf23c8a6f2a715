import { randomUUID } from 'node:crypto'
import {
  chmod,
  chown,
  link,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { availableLanguages } from '../src/build/languages.ts'
import { checkOptions } from '../src/build/options.ts'
import { openOutput, type OutputOptions } from '../src/build/output.ts'
import { newFolder } from '@openfountain/testing/folder'

let folder: string
const check = (options: Record<string, unknown>) =>
  checkOptions({ data: join(folder, 'export'), out: join(folder, 'site'), ...options })

beforeEach(async () => {
  folder = newFolder()
})

it('options of a build get every language, as many pages as fit and the root as base by default', async () => {
  const [data, site] = [resolve(folder, 'export'), resolve(folder, 'site')]
  const usual = { base: '/', linked: false, languages: await availableLanguages() }
  expect(await check({})).toEqual({ data, out: site, ...usual })
})

it.each<[Record<string, unknown>, object]>([
  [{ url: 'https://lund.example/fountains' }, { origin: 'https://lund.example', base: '/fountains/' }],
  [{ url: 'https://lund.example', base: '/water' }, { base: '/water/' }],
  [{ languages: ['it', 'en', 'it'] }, { languages: ['it', 'en'] }],
  [{ basemap: '/town.pmtiles' }, { basemap: { kind: 'file', path: '/town.pmtiles' } }],
  [{ basemap: 'openfreemap' }, { basemap: { kind: 'openfreemap' } }],
  [{ basemap: 'https://a.example/b' }, { basemap: { kind: 'address', url: 'https://a.example/b' } }],
])('options of a build %o are taken as %o', async (options, taken) => {
  expect(await check(options)).toMatchObject(taken)
})

it.each([
  [{ languages: ['en', 'xx'] }, /languages: xx not available; choose from en, /u],
  [{ languages: [] }, /languages: must name at least one/u],
  [{ base: 'fountains' }, /base: must be a path that begins with a slash/u],
  [{ base: '/"><script>' }, /base: must be a path/u],
  [{ url: 'ftp://lund.example' }, /url: must be an http: or https: address/u],
  [{ api: 'javascript:alert(1)' }, /api: must be a path or an http: or https: address/u],
  [{ style: 'file:///etc/passwd' }, /style: must be a path or/u],
  [{ basemap: '' }, /basemap: must be a PMTiles file/u],
  [{ basemap: 'https://a:b@c.example/d.pmtiles' }, /basemap: must be an address without a password/u],
  [{ basemap: 'openfreemap', style: '/style.json' }, /basemap: takes the place that style has; give one/u],
  [{ pages: -1 }, /pages: must be none, all or how many fountains get a page/u],
  [{ pages: Number.NaN }, /pages: must be none/u],
  [{ title: '  ' }, /title: must not be blank/u],
  [{ out: '' }, /out: must be the folder/u],
  [{ data: '' }, /data: must be the folder of an export/u],
  [{ data: 7 }, /data: /u],
])('options of a build refuse %o', async (options, message) => {
  await expect(check(options)).rejects.toThrow(message)
})

it('options of a build refuse to write into the export, and the export into the site', async () => {
  for (const options of [{ out: 'export/site' }, { data: 'site/export' }, { out: 'export' }]) {
    const paths = Object.entries(options).map(([name, path]) => [name, join(folder, path)])
    await expect(check(Object.fromEntries(paths))).rejects.toThrow(/must not lie inside each other/u)
  }
  expect((await check({ out: join(folder, 'export2') })).out).toBe(join(folder, 'export2'))
})

const out = () => join(folder, 'site')
const page = () => readFile(join(out(), 'index.html'), 'utf8')
const names = async () => (await readdir(folder)).toSorted()

async function built(text: string, options?: OutputOptions): Promise<void> {
  const output = await openOutput(out(), options)
  await writeFile(join(output.folder, 'index.html'), text)
  await output.finish('{}')
  await output.discard()
}

const opened = async (options?: OutputOptions): Promise<void> => (await openOutput(out(), options)).discard()

async function beside(name: string, marker: string, text: string): Promise<void> {
  await mkdir(join(folder, name), { recursive: true })
  await writeFile(join(folder, name, '.openfountain-site'), marker)
  await writeFile(join(folder, name, 'index.html'), text)
}

it('the folder to write is replaced only when the new site is complete', async () => {
  await built('first')
  await opened()
  expect(await page()).toBe('first')
  await built('second')
  expect([await page(), ...(await names())]).toEqual(['second', 'site'])
})

it('the folder to write is refused when it holds something else', async () => {
  await mkdir(out())
  await writeFile(join(out(), 'thesis.docx'), 'years of work')
  const refused = openOutput(out())
  await expect(refused).rejects.toThrow(/^out: .* holds other files/u)
  const inUse = { code: 'OUT_IN_USE', option: 'out', details: { out: out() } }
  await expect(refused).rejects.toMatchObject(inUse)
  await expect(openOutput(join(out(), 'thesis.docx'))).rejects.toThrow(/is a file/u)
  expect(await readFile(join(out(), 'thesis.docx'), 'utf8')).toBe('years of work')
})

async function leftover(name = 'site'): Promise<string> {
  const left = `.${name}-new-${randomUUID()}`
  await mkdir(join(folder, `${left}-work`))
  await beside(left, '', '')
  return left
}

it('the folder to write is cleared of what killed builds left beside it, and of nothing else', async () => {
  await leftover()
  const kept = [await leftover('other'), await leftover('site-new-one')]
  await mkdir(join(folder, '.site-new-holiday'))
  await opened()
  const expected = ['.site-new-holiday', ...kept.flatMap((left) => [left, `${left}-work`])]
  expect(await names()).toEqual(expected.toSorted())
})

it('the folder to write gets its site back when a build was killed between putting it aside and replacing it', async () => {
  await beside(`${await leftover()}-old`, '', 'the site')
  await opened()
  expect(await page()).toBe('the site')
  expect(await names()).toEqual(['site'])
})

it('the folder to write is written by one build at a time', async () => {
  const first = await openOutput(out())
  const message = `out: another build writes ${out()} just now; wait until it is done, or end it`
  await expect(openOutput(out())).rejects.toMatchObject({ code: 'OUT_BUSY', message })
  await (await openOutput(join(folder, 'other'))).discard()
  await first.discard()
  await opened()
  expect(await names()).toEqual([])
})

const linked = { linked: true }

it('a link to the site takes the place of a folder, leads to the new site in one step, and stays a link', async () => {
  await built('a folder')
  await built('a link', linked)
  const before = await readlink(out())
  await opened(linked)
  expect(await page()).toBe('a link')
  await built('another', { linked: false })
  expect(await page()).toBe('another')
  expect(await readlink(out())).not.toBe(before)
  // Earlier sites are removed: they may have texts that were redacted since.
  expect(await names()).toEqual([await readlink(out()), 'site'])
})

it('a link to the site is cleared of what a killed build left, before and after it had led the link to its site', async () => {
  await built('first', linked)
  const first = await readlink(out())
  const killed = `.site-new-${randomUUID()}`
  await mkdir(join(folder, `${killed}-export`))
  await beside(killed, '{}', 'second')
  await symlink(killed, join(folder, killed, '.link'))
  await opened(linked)
  expect(await names()).toEqual([first, 'site'])
  // Killed between the step that takes the earlier site's place and its removal.
  await beside(killed, '{}', 'second')
  await symlink(killed, join(folder, 'link'))
  await rename(join(folder, 'link'), out())
  await opened(linked)
  expect(await page()).toBe('second')
  expect(await names()).toEqual([killed, 'site'])
})

const nobodyUid = 65_534
const isRoot = process.getuid?.() === 0

it.skipIf(process.platform === 'win32')(
  'a link to the site leads to the new site also where the earlier one cannot be removed, and says so',
  async () => {
    await built('first', linked)
    const first = join(folder, await readlink(out()))
    await chmod(first, 0o555)
    const left: string[] = []
    const again = () => built('second', { linked: true, onLeftover: (old) => left.push(old) })
    if (isRoot) {
      await chown(folder, nobodyUid, nobodyUid)
      await chmod(dirname(folder), (await stat(dirname(folder))).mode | 0o011)
      process.seteuid?.(nobodyUid)
    }
    try {
      await again()
      await again()
    } finally {
      if (isRoot) process.seteuid?.(0)
      else await chmod(first, 0o755)
    }
    expect(await page()).toBe('second')
    expect(left).toEqual([first, first])
  },
)

it.runIf(isRoot && process.platform === 'linux')(
  'a link to the site belongs with all of the site to the owner of its folder when root publishes, and what has other names is copied',
  async () => {
    await chown(folder, nobodyUid, nobodyUid)
    const ofProgram = join(newFolder(), 'tile')
    await writeFile(ofProgram, 'tile')
    const output = await openOutput(out(), linked)
    await link(ofProgram, join(output.folder, 'tile'))
    await output.finish('{}')
    await output.discard()
    const all = await readdir(folder, { recursive: true })
    const owners = await Promise.all(all.map(async (name) => (await lstat(join(folder, name))).uid))
    expect(new Set(owners)).toEqual(new Set([nobodyUid]))
    expect((await stat(ofProgram)).uid).toBe(0)
    expect(await readFile(join(out(), 'tile'), 'utf8')).toBe('tile')
  },
)

it('a link to the site of somebody else stays, and what it leads to is replaced', async () => {
  await mkdir(join(folder, 'disk', 'www'), { recursive: true })
  await symlink('disk/www', out())
  await built('first')
  expect([await readlink(out()), await page()]).toEqual(['disk/www', 'first'])
  expect(await readdir(join(folder, 'disk'))).toEqual(['www'])
})
