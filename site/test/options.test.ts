import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join, resolve } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { availableLanguages } from '../src/build/languages.ts'
import { checkOptions } from '../src/build/options.ts'
import { openOutput } from '../src/build/output.ts'
import { freshFolder } from './sample.ts'

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
})
