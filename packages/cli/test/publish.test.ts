/** @module-tag process */
import { mkdir, readdir, readFile, readlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { openRegistry, token, user, type Registry } from '@openfountain/core'
import { expect, onTestFinished, test } from 'vitest'
import { commands } from '../src/commands/all.ts'
import { dueAt, follow, pauseAfter, withoutWatching } from '../src/follow.ts'
import { folder, openfountain, started } from '@openfountain/testing/command/shell'

const small = ['--languages', 'en', '--formats', 'csv']

/** A registry in a file, with a fountain and somebody whose words are removed later. */
async function prepared(cwd: string): Promise<Registry> {
  const registry = await openRegistry({ database: path.join(cwd, 'openfountain.db') })
  onTestFinished(() => registry.close())
  await registry.users.create({ id: 'ada', name: 'Ada', xp: 200 })
  await registry.waypoints.create(
    { name: 'Mill', latitude: 55.7, longitude: 13.19, description: 'Call 0171 1234' },
    user('ada'),
  )
  await registry.waypoints.create({ name: 'Spring', latitude: 55.71, longitude: 13.2 }, token())
  return registry
}

/** What is beside the database: nothing but the site, what it leaves for the next one, and the link to it. */
const beside = async (cwd: string): Promise<string[]> =>
  (await readdir(cwd)).filter((name) => !name.startsWith('openfountain.db')).toSorted()

/** Waits until something holds. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 50))
}

test('a registry that is followed is published after each change, without what was redacted, through a kill, until a signal', async () => {
  const cwd = await folder()
  const registry = await prepared(cwd)
  const content = ['--languages', 'en', '--formats', 'csv,gpx']
  const watch = [
    'publish',
    '--out',
    'public',
    ...content,
    '--watch',
    '--every',
    '1',
    '--quiet',
    '0',
    '--json',
  ]
  const page = (id: number) =>
    readFile(path.join(cwd, `public/waypoint/${id}/index.html`), 'utf8').catch(() => '')
  const killed = started(watch, { cwd })
  onTestFinished(() => void killed.child.kill('SIGKILL'))
  await until(async () => (await page(1)).includes('0171 1234'))
  const first = await readlink(path.join(cwd, 'public'))
  expect(await readFile(path.join(cwd, 'public/data/waypoints.csv'), 'utf8')).toContain('0171 1234')
  // Killed in the middle of the next: what it had started ends, too, and leaves the earlier site in its place.
  await until(async () => (await beside(cwd)).length === 3)
  await registry.waypoints.update(2, { name: 'Rill' }, token())
  await until(async () => (await beside(cwd)).some((name) => name.endsWith('-export')))
  killed.child.kill('SIGKILL')
  expect(await killed.end).toMatchObject({ signal: 'SIGKILL' })
  expect(await readlink(path.join(cwd, 'public'))).toBe(first)
  expect(await page(2)).toContain('Spring')
  await until(async () => (await beside(cwd)).length === 3)

  const { logs } = await registry.changes.list()
  await registry.changes.redact(logs.at(-1)?.id ?? 0, { fields: ['description'], reason: 'A number' })
  const next = started(watch, { cwd })
  onTestFinished(() => void next.child.kill('SIGKILL'))
  await until(async () => (await page(2)).includes('Rill'))
  await until(async () => (await beside(cwd)).length === 3)
  for (const name of await readdir(cwd, { recursive: true }))
    if (/\.(?:html|csv|gpx|json|xml)$/u.test(name))
      expect(await readFile(path.join(cwd, name), 'utf8')).not.toContain('0171 1234')
  // What takes long to make is made once a day, unless something was erased.
  await registry.waypoints.update(2, { name: 'Beck' }, token())
  await until(async () => (await page(2)).includes('Beck'))
  await until(async () => (await beside(cwd)).length === 3)
  const data = (name: string) => readFile(path.join(cwd, 'public/data', name), 'utf8')
  expect(await data('waypoints.gpx')).toContain('Rill')
  expect(await data('waypoints.csv')).toContain('Rill')
  const said =
    /GPS devices and hiking apps<\/span>\s*<span class="file-what">Of [^<]+ UTC, up to log entry 7</u
  expect(said.test(await readFile(path.join(cwd, 'public/data/index.html'), 'utf8'))).toBe(true)
  next.child.kill('SIGTERM')
  const { code, stdout } = await next.end
  expect(code).toBe(0)
  const reports = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { out: string; waypoints: number })
  expect(reports).toHaveLength(2)
  expect(reports[0]).toMatchObject({ out: 'public', waypoints: 2, export: { licenses: ['ODbL-1.0'] } })
}, 300_000)

test('while nothing has changed the site stays, and its export under other options, with what is said of both', async () => {
  const cwd = await folder()
  const registry = await prepared(cwd)
  const published = async (...more: string[]) => {
    const args = ['publish', '--out', 'public', ...small, ...more]
    const { code, stdout } = await openfountain([...args, '--json'], { cwd })
    expect(code).toBe(0)
    return JSON.parse(stdout) as {
      unchangedData: boolean
      unchangedSite: boolean
      pages: number
      export: { revision: number }
    }
  }
  const first = await published()
  expect(first).toMatchObject({ unchangedData: false, export: { licenses: ['ODbL-1.0'] } })
  const place = await readlink(path.join(cwd, 'public'))
  const again = await published()
  expect(again).toEqual({ ...first, unchangedPages: first.pages, unchangedData: true, unchangedSite: true })
  expect(await readlink(path.join(cwd, 'public'))).toBe(place)
  const { stdout } = await openfountain(['publish', '--out', 'public', ...small], { cwd })
  expect(stdout).toContain('the site is as it was, and was left where it is')
  const renamed = await published('--title', 'Springs')
  expect(renamed).toMatchObject({ unchangedData: true, unchangedSite: false, export: first.export })
  expect(await readFile(path.join(cwd, 'public/index.html'), 'utf8')).toContain('Springs')
  await registry.waypoints.update(2, { name: 'Rill' }, token())
  const later = await published()
  expect(later.unchangedData).toBe(false)
  expect(later.export.revision).toBeGreaterThan(first.export.revision)
  expect(await readFile(path.join(cwd, 'public/data/waypoints.csv'), 'utf8')).toContain('Rill')
}, 300_000)

test('what cannot be published is refused before anything is exported', async () => {
  const cwd = await folder()
  await prepared(cwd)
  await mkdir(path.join(cwd, 'thesis'))
  await writeFile(path.join(cwd, 'thesis/thesis.docx'), 'years of work')
  for (const [args, message] of [
    [['--out', 'thesis'], '--out: '],
    [['--out', 'public', '--formats', 'shapefile'], 'format "shapefile" not found'],
  ] as const) {
    const { code, stderr } = await openfountain(['publish', ...args], { cwd })
    expect({ code, stderr }).toMatchObject({ code: 2 })
    expect(stderr).toContain(message)
  }
  expect(await beside(cwd)).toEqual(['thesis'])
})

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

test('a database that is away for a while, and publications that fail, are tried again', async () => {
  const stop = new AbortController()
  const [notes, published]: [string[], string[]] = [[], []]
  const states = ['1', new Error('no route to host'), '1', '2', '2', '2']
  const exit = await follow({
    state: async () => {
      const next = states.shift() ?? '2'
      if (next instanceof Error) throw next
      return next
    },
    publish: async () => {
      published.push(states.length === 0 ? 'last' : 'more')
      if (published.length === 3) stop.abort()
      return published.length === 2 ? 'full' : 'done'
    },
    pace: { every: 1, quiet: 0 },
    note: (text) => notes.push(text),
    signal: stop.signal,
  })
  expect(exit).toBe('done')
  expect(published).toHaveLength(3)
  expect(notes).toEqual([
    'The registry cannot be read: no route to host. It is tried again in 1 second.',
    'Publishing failed. It is tried again in 1 second.',
  ])
})

test('the first publication that fails ends it', async () => {
  const { signal } = new AbortController()
  const followed = { pace: { every: 1, quiet: 0 }, note: () => {}, signal }
  const state = async () => '1'
  expect(await follow({ ...followed, state, publish: async () => 'refused' })).toBe('refused')
  const away = async (): Promise<string> => {
    throw new Error('no route to host')
  }
  await expect(follow({ ...followed, state: away, publish: async () => 'done' })).rejects.toThrow('no route')
})

test('each publication is run with the arguments that were given, but for those about when', async () => {
  const publish = await commands.find(({ name }) => name === 'publish')?.load()
  const watching = Object.fromEntries(
    Object.entries(publish?.options ?? {}).filter(([name]) => ['watch', 'every', 'quiet'].includes(name)),
  )
  expect(
    withoutWatching(
      ['publish', '--watch', '--out', 'a', '--every', '60', '--quiet=5', '--title', 'every', '--json'],
      watching,
    ),
  ).toEqual(['publish', '--out', 'a', '--title', 'every', '--json'])
})
