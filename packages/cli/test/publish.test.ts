import { mkdir, readdir, readFile, readlink, writeFile } from 'node:fs/promises'
import { openRegistry, token, user, type Registry } from '@openfountain/core'
import { expect, onTestFinished, test } from 'vitest'
import { commands } from '../src/commands/all.ts'
import { dueAt, follow, pauseAfter, withoutWatching } from '../src/follow.ts'
import { started, workplace, type Workplace } from '@openfountain/testing/command/shell'

const small = '--out public --languages en --formats csv'

async function prepared(): Promise<Workplace & { readonly open: Registry }> {
  const place = await workplace()
  const open = await openRegistry({ database: place.at('openfountain.db') })
  onTestFinished(() => open.close())
  await open.users.create({ id: 'ada', name: 'Ada', xp: 200 })
  const mill = { name: 'Mill', latitude: 55.7, longitude: 13.19, description: 'Call 0171 1234' }
  await open.waypoints.create(mill, user('ada'))
  await open.waypoints.create({ name: 'Spring', latitude: 55.71, longitude: 13.2 }, token())
  return { ...place, open }
}

const beside = async (cwd: string): Promise<string[]> =>
  (await readdir(cwd)).filter((name) => !name.startsWith('openfountain.db')).toSorted()

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 50))
}

test(
  'a registry that is followed is published after each change, without what was redacted, through a kill, until a signal',
  { tags: ['process'] },
  async () => {
    const { at, cwd, open } = await prepared()
    const watch = () => {
      const line = `publish ${small} --watch --every 1 --quiet 0 --json`
      const watching = started(line.split(' '), { cwd })
      onTestFinished(() => void watching.child.kill('SIGKILL'))
      return watching
    }
    const page = (id: number) => readFile(at(`public/waypoint/${id}/index.html`), 'utf8').catch(() => '')
    const killed = watch()
    await until(async () => (await page(1)).includes('0171 1234'))
    const first = await readlink(at('public'))
    expect(await readFile(at('public/data/waypoints.csv'), 'utf8')).toContain('0171 1234')
    // Killed during the next build: its child processes end, too, and the earlier site stays in place.
    await until(async () => (await beside(cwd)).length === 2)
    await open.waypoints.update(2, { name: 'Rill' }, token())
    await until(async () => (await beside(cwd)).some((name) => name.endsWith('-export')))
    killed.child.kill('SIGKILL')
    expect(await killed.end).toMatchObject({ signal: 'SIGKILL' })
    expect(await readlink(at('public'))).toBe(first)
    expect(await page(2)).toContain('Spring')
    await until(async () => (await beside(cwd)).length === 2)

    const { logs } = await open.changes.list()
    await open.changes.redact(logs.at(-1)?.id ?? 0, { fields: ['description'], reason: 'A number' })
    const next = watch()
    await until(async () => (await page(2)).includes('Rill'))
    await until(async () => (await beside(cwd)).length === 2)
    for (const name of await readdir(cwd, { recursive: true }))
      if (/\.(?:html|csv|json|xml)$/u.test(name))
        expect(await readFile(at(name), 'utf8')).not.toContain('0171 1234')
    next.child.kill('SIGTERM')
    const { code, stdout } = await next.end
    expect(code).toBe(0)
    expect(JSON.parse(stdout.split('\n')[0] ?? '')).toMatchObject({
      out: 'public',
      waypoints: 2,
      export: { licenses: ['ODbL-1.0'] },
    })
  },
)

test(
  'while nothing has changed the site stays where it is, and what cannot be published is refused before anything is exported',
  { tags: ['process'] },
  async () => {
    const { at, json, run } = await prepared()
    const first = (await json(`publish ${small}`)) as { export: unknown }
    expect(first).toMatchObject({ unchangedData: false, export: { licenses: ['ODbL-1.0'] } })
    const place = await readlink(at('public'))
    const { stdout } = await run(`publish ${small}`)
    expect(stdout).toContain('the site is as it was, and was left where it is')
    expect(await readlink(at('public'))).toBe(place)
    const renamed = await json(`publish ${small} --title Springs`)
    expect(renamed).toMatchObject({ unchangedData: true, unchangedSite: false, export: first.export })
    const format = await run('publish --out other --formats shapefile')
    expect(format.code).toBe(2)
    expect(format.stderr).toContain('format "shapefile" not found')
    await mkdir(at('thesis'))
    await writeFile(at('thesis/thesis.docx'), 'years of work')
    const thesis = await run('publish --out thesis')
    expect(thesis).toMatchObject({ code: 2, stderr: expect.stringContaining('--out: ') as string })
  },
)

test('it is published when nothing was written for a while, no more often than allowed, and no later when writes go on', () => {
  const pace = { every: 300, quiet: 10 }
  const seconds = (first: number, last: number, begun: number) =>
    dueAt({ first: first * 1000, last: last * 1000, begun: begun * 1000 }, pace) / 1000
  expect(seconds(1000, 1000, 0)).toBe(1010)
  expect(seconds(1000, 1200, 0)).toBe(1210)
  expect(seconds(1000, 1299, 0)).toBe(1300)
  expect(seconds(1000, 1000, 900)).toBe(1200)
  expect([1, 2, 3, 20].map((failures) => pauseAfter(failures, pace))).toEqual([10, 20, 40, 600])
})

test('a database that is away, and publications that fail, are tried again; the first failure ends it', async () => {
  const stop = new AbortController()
  const notes: string[] = []
  const pace = { every: 1, quiet: 0 }
  const followed = { pace, note: (text: string) => void notes.push(text), signal: stop.signal }
  const state = async () => '1'
  expect(await follow({ ...followed, state, publish: async () => 'refused' })).toBe('refused')
  const away = () => Promise.reject(new Error('no route to host'))
  await expect(follow({ ...followed, state: away, publish: async () => 'done' })).rejects.toThrow('no route')
  const states: (() => Promise<string>)[] = [state, away, state]
  let published = 0
  const exit = await follow({
    ...followed,
    state: () => states.shift()?.() ?? Promise.resolve('2'),
    publish: async () => {
      published += 1
      if (published === 3) stop.abort()
      return published === 2 ? 'full' : 'done'
    },
  })
  expect([exit, published]).toEqual(['done', 3])
  expect(notes).toEqual([
    'The registry cannot be read: no route to host. It is tried again in 1 second.',
    'Publishing failed. It is tried again in 1 second.',
  ])
})

test('each publication is run with the arguments that were given, but for those about when', async () => {
  const publish = await commands.find(({ name }) => name === 'publish')?.load()
  const options = Object.entries(publish?.options ?? {})
  const watching = Object.fromEntries(options.filter(([name]) => ['watch', 'every', 'quiet'].includes(name)))
  const line = 'publish --watch --out a --every 60 --quiet=5 --title every --json'
  expect(withoutWatching(line.split(' '), watching).join(' ')).toBe('publish --out a --title every --json')
})
