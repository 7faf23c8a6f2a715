/** @module-tag long */
import { spawn } from 'node:child_process'
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
  utimes,
  writeFile,
} from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { availableLanguages } from '../src/build/languages.ts'
import { checkOptions } from '../src/build/options.ts'
import { openOutput } from '../src/build/output.ts'
import { freshFolder } from '@openfountain/testing/site/sample'

let folder: string
const check = (options: Record<string, unknown>) =>
  checkOptions({ data: join(folder, 'export'), out: join(folder, 'site'), ...options })

beforeEach(async () => {
  folder = await freshFolder()
})

describe('options of a build', () => {
  it('get every language, as many pages as fit and the root as base by default', async () => {
    expect(await check({})).toEqual({
      data: resolve(folder, 'export'),
      out: resolve(folder, 'site'),
      base: '/',
      engine: 'trimmed',
      linked: false,
      languages: await availableLanguages(),
    })
  })

  it('take the base from the address, and give it a slash at its end', async () => {
    expect(await check({ url: 'https://lund.example/fountains' })).toMatchObject({
      origin: 'https://lund.example',
      base: '/fountains/',
    })
    expect(await check({ url: 'https://lund.example', base: '/water' })).toMatchObject({ base: '/water/' })
  })

  it('keep the order of languages, each once', async () => {
    expect((await check({ languages: ['it', 'en', 'it'] })).languages).toEqual(['it', 'en'])
  })

  it.each([
    [{ languages: ['en', 'xx'] }, /languages: xx not available; choose from en, /u],
    [{ languages: ['../data/folder'] }, /languages: .*not available/u],
    [{ languages: [] }, /languages: must name at least one/u],
    [{ base: 'fountains' }, /base: must be a path that begins with a slash/u],
    [{ base: '/"><script>' }, /base: must be a path/u],
    [{ url: 'ftp://lund.example' }, /url: must be an http: or https: address/u],
    [{ url: 'lund' }, /url: must be an http: or https: address/u],
    [{ api: 'javascript:alert(1)' }, /api: must be a path or an http: or https: address/u],
    [{ style: 'file:///etc/passwd' }, /style: must be a path or/u],
    [{ pages: -1 }, /pages: must be none, all or how many fountains get a page/u],
    [{ pages: 1.5 }, /pages: must be none, all or how many fountains get a page/u],
    [{ pages: 'most' }, /pages: must be none, all or how many fountains get a page/u],
    [{ pages: Number.NaN }, /pages: must be none, all or how many fountains get a page/u],
    [{ engine: 'small' }, /engine: must be trimmed or published/u],
    [{ title: '  ' }, /title: must not be blank/u],
    [{ out: '' }, /out: must be the folder/u],
    [{ data: '' }, /data: must be the folder of an export/u],
    [{ data: 7 }, /data: /u],
  ])('refuse %o', async (options, message) => {
    await expect(check(options)).rejects.toThrow(message)
  })

  it('refuse to write into the export, and the export into the site', async () => {
    await expect(check({ out: join(folder, 'export', 'site') })).rejects.toThrow(
      /^out: .* must not lie inside each other/u,
    )
    await expect(check({ data: join(folder, 'site', 'export') })).rejects.toThrow(
      /must not lie inside each other/u,
    )
    await expect(check({ out: join(folder, 'export') })).rejects.toThrow(/must not lie inside each other/u)
    expect((await check({ out: join(folder, 'export2') })).out).toBe(join(folder, 'export2'))
  })
})

describe('the folder to write', () => {
  it('is replaced only when the new site is complete', async () => {
    const out = join(folder, 'site')
    for (const text of ['first', 'second']) {
      const output = await openOutput(out)
      await writeFile(join(output.folder, 'index.html'), text)
      if (text === 'second') expect(await readFile(join(out, 'index.html'), 'utf8')).toBe('first')
      await output.finish('{}')
      await output.discard()
    }
    expect(await readFile(join(out, 'index.html'), 'utf8')).toBe('second')
    expect(await readdir(folder)).toEqual(['site'])
  })

  it('leaves nothing behind when the build fails', async () => {
    const output = await openOutput(join(folder, 'site'))
    await mkdir(output.workFolder)
    await output.discard()
    expect(await readdir(folder)).toEqual([])
  })

  it('is refused when it holds something else', async () => {
    await mkdir(join(folder, 'site'))
    await writeFile(join(folder, 'site', 'thesis.docx'), 'years of work')
    await expect(openOutput(join(folder, 'site'))).rejects.toThrow(/^out: .* holds other files/u)
    await expect(openOutput(join(folder, 'site'))).rejects.toMatchObject({
      code: 'OUT_IN_USE',
      option: 'out',
      details: { out: join(folder, 'site') },
    })
    await expect(openOutput(join(folder, 'site', 'thesis.docx'))).rejects.toThrow(/is a file/u)
    expect(await readFile(join(folder, 'site', 'thesis.docx'), 'utf8')).toBe('years of work')
  })

  /** What a build of `site` that was killed leaves; `pid` is its process id. */
  async function leftover(pid: number, { host = hostname(), name = 'site' } = {}): Promise<string> {
    const left = `.${name}-new-${randomUUID()}`
    for (const one of [left, `${left}-work`]) await mkdir(join(folder, one))
    await writeFile(join(folder, left, '.openfountain-site'), `${host} ${pid}\n`)
    return left
  }

  /** The id of a process that has ended. */
  async function endedProcess(): Promise<number> {
    const child = spawn(process.execPath, ['--eval', ''])
    const pid = child.pid
    await new Promise((resolve) => {
      child.on('exit', resolve)
    })
    if (pid === undefined) throw new Error('no process was started')
    return pid
  }

  it('is cleared of what killed builds left beside it, and of nothing else', async () => {
    const ended = await endedProcess()
    await leftover(ended)
    const kept = [
      await leftover(process.ppid),
      await leftover(ended, { host: 'elsewhere' }),
      await leftover(ended, { name: 'other' }),
      await leftover(ended, { name: 'site-new-one' }),
    ]
    await mkdir(join(folder, '.site-new-holiday'))
    const output = await openOutput(join(folder, 'site'))
    await output.discard()
    expect((await readdir(folder)).toSorted()).toEqual(
      ['.site-new-holiday', ...kept.flatMap((left) => [left, `${left}-work`])].toSorted(),
    )
  })

  it('is cleared of what a build on another machine left a day ago', async () => {
    const left = await leftover(1, { host: 'elsewhere' })
    const longAgo = new Date(Date.now() - 25 * 3_600_000)
    for (const one of [left, `${left}-work`]) await utimes(join(folder, one), longAgo, longAgo)
    const output = await openOutput(join(folder, 'site'))
    await output.discard()
    expect(await readdir(folder)).toEqual([])
  })

  it('gets its site back when a build was killed between putting it aside and replacing it', async () => {
    const left = await leftover(await endedProcess())
    await mkdir(join(folder, `${left}-old`))
    await writeFile(join(folder, `${left}-old`, '.openfountain-site'), '')
    await writeFile(join(folder, `${left}-old`, 'index.html'), 'the site')
    const output = await openOutput(join(folder, 'site'))
    await output.discard()
    expect(await readFile(join(folder, 'site', 'index.html'), 'utf8')).toBe('the site')
    expect(await readdir(folder)).toEqual(['site'])
  })

  it('is written by one build at a time', async () => {
    const first = await openOutput(join(folder, 'site'))
    await expect(openOutput(join(folder, 'site'))).rejects.toMatchObject({
      code: 'OUT_BUSY',
      message: `out: another build writes ${join(folder, 'site')} just now; wait until it is done, or end it`,
    })
    const other = await openOutput(join(folder, 'other'))
    await other.discard()
    await first.discard()
    const next = await openOutput(join(folder, 'site'))
    await next.discard()
    expect(await readdir(folder)).toEqual([])
  })
})

describe('a link to the site', () => {
  const out = () => join(folder, 'site')
  const page = () => readFile(join(out(), 'index.html'), 'utf8')

  /** Builds a site of one page. */
  async function built(text: string, options?: { readonly linked: boolean }): Promise<void> {
    const output = await openOutput(out(), options)
    await writeFile(join(output.folder, 'index.html'), text)
    await output.finish('{}')
    await output.discard()
  }

  /** What there is: the link, the site's folder, and what is kept of it for the next. */
  const withKept = (site: string): string[] => [site, `${site}-kept`, 'site'].toSorted()

  it('takes the place of a folder, leads to the new site in one step, and stays a link', async () => {
    await built('a folder')
    await built('a link', { linked: true })
    const before = await readlink(out())
    expect(await page()).toBe('a link')
    await built('another', { linked: false })
    expect(await page()).toBe('another')
    expect(await readlink(out())).not.toBe(before)
    // Nothing of an earlier site is left, which may have what was redacted since.
    expect((await readdir(folder)).toSorted()).toEqual(withKept(await readlink(out())))
  })

  it('leads to the earlier site until the new one is complete', async () => {
    await built('first', { linked: true })
    const output = await openOutput(out(), { linked: true })
    await writeFile(join(output.folder, 'index.html'), 'second')
    expect(await page()).toBe('first')
    await output.discard()
    expect(await page()).toBe('first')
    expect((await readdir(folder)).toSorted()).toEqual(withKept(await readlink(out())))
  })

  it('is cleared of what a killed build left, before and after it had led the link to its site', async () => {
    await built('first', { linked: true })
    const first = await readlink(out())
    const killed = `.site-new-${randomUUID()}`
    for (const one of [killed, `${killed}-export`, `${killed}-kept`]) await mkdir(join(folder, one))
    await writeFile(join(folder, killed, '.openfountain-site'), '{}')
    await writeFile(join(folder, killed, 'index.html'), 'second')
    await symlink(killed, join(folder, `${killed}-kept`, 'site'))
    const next = await openOutput(out(), { linked: true })
    await next.discard()
    expect((await readdir(folder)).toSorted()).toEqual(withKept(first))
    // Killed between the step that takes the earlier site's place and its removal.
    await mkdir(join(folder, killed))
    await writeFile(join(folder, killed, '.openfountain-site'), '{}')
    await writeFile(join(folder, killed, 'index.html'), 'second')
    await symlink(killed, join(folder, 'link'))
    await rename(join(folder, 'link'), out())
    const last = await openOutput(out(), { linked: true })
    await last.discard()
    expect(await page()).toBe('second')
    expect((await readdir(folder)).toSorted()).toEqual([killed, 'site'].toSorted())
  })

  const nobody = 65_534
  const isRoot = process.getuid?.() === 0

  it.skipIf(process.platform === 'win32')(
    'leads to the new site also where the earlier one cannot be removed, and says so',
    async () => {
      await built('first', { linked: true })
      const first = join(folder, await readlink(out()))
      await chmod(first, 0o555)
      const left: string[] = []
      const onLeftover = (old: string) => left.push(old)
      const again = async () => {
        const output = await openOutput(out(), { linked: true, onLeftover })
        await writeFile(join(output.folder, 'index.html'), 'second')
        await output.finish('{}')
        await output.discard()
      }
      if (isRoot) {
        await chown(folder, nobody, nobody)
        await chmod(dirname(folder), (await stat(dirname(folder))).mode | 0o011)
        process.seteuid?.(nobody)
      }
      try {
        await again()
        await again()
      } finally {
        if (isRoot) process.seteuid?.(0)
        else await chmod(first, 0o755)
      }
      expect(await page()).toBe('second')
      expect(left.filter((old) => !old.endsWith('-kept'))).toEqual([first, first])
    },
  )

  it.runIf(isRoot && process.platform === 'linux')(
    'belongs with all of the site to the owner of its folder when root publishes, and what has other names is copied',
    async () => {
      await chown(folder, nobody, nobody)
      const ofProgram = join(await freshFolder(), 'tile')
      await writeFile(ofProgram, 'tile')
      const output = await openOutput(out(), { linked: true })
      await mkdir(join(output.folder, 'map'))
      await link(ofProgram, join(output.folder, 'map', 'tile'))
      await output.finish('{}')
      await output.discard()
      const names = await readdir(folder, { recursive: true })
      const owners = await Promise.all(names.map(async (name) => (await lstat(join(folder, name))).uid))
      expect(new Set(owners)).toEqual(new Set([nobody]))
      expect((await stat(ofProgram)).uid).toBe(0)
      expect(await readFile(join(out(), 'map', 'tile'), 'utf8')).toBe('tile')
    },
  )

  it('of somebody else stays, and what it leads to is replaced', async () => {
    await mkdir(join(folder, 'disk'))
    await mkdir(join(folder, 'disk', 'www'))
    await symlink('disk/www', out())
    await built('first')
    expect([await readlink(out()), await page()]).toEqual(['disk/www', 'first'])
    expect(await readdir(join(folder, 'disk'))).toEqual(['www'])
  })
})
