import { gzipSync } from 'node:zlib'
import { type Registry, token } from '@openfountain/core'
import { commitmentsOf, type GivenEntry } from '@openfountain/core/internal'
import { leafOf } from '@openfountain/core/leaf'
import { Frontier } from '@openfountain/tlog/frontier'
import { createApp, nodeListener } from '@openfountain/server'
import { beforeEach, describe, expect, test } from 'vitest'
import { mirrorRegistry, type MirrorOptions } from '../../src/index.ts'
import { copyInFile, listening, logOf, lying, opened, original, tablesOf, urlOf } from './stage.ts'

type Entry = { -readonly [Name in keyof GivenEntry]: GivenEntry[Name] }

let registry: Registry

beforeEach(async () => {
  registry = await original()
})

type Copy = Awaited<ReturnType<typeof copyInFile>>

/** Expects a refusal that leaves the copy unchanged, to the byte. @param given default a new copy */
async function mustRefuse(url: string, refusal: object, options: MirrorOptions = {}, given?: Copy) {
  const copy = given ?? (await copyInFile())
  const before = tablesOf(copy.file)
  await expect(mirrorRegistry(url, copy.registry, options)).rejects.toMatchObject(refusal)
  expect(tablesOf(copy.file)).toEqual(before)
  expect(await copy.registry.changes.verify()).toMatchObject({ ok: true })
}

const brokenAt = (details: object) => ({ code: 'CHAIN_BROKEN', details })

/** An instance with a hand-made log whose commitments, tree and heads are right. @returns its address */
function forging(entries: readonly GivenEntry[]): Promise<string> {
  const frontier = new Frontier()
  const hashes = [frontier.root()]
  for (const entry of entries) {
    frontier.append(leafOf(entry))
    hashes.push(frontier.root())
  }
  return listening((request, response) => {
    const { pathname, searchParams } = urlOf(request)
    const size = Number(searchParams.get('size') ?? entries.length)
    const head = { id: size, hash: hashes[size] ?? '' }
    const after = Number(searchParams.get('after'))
    const changes = entries.slice(after, after + Number(searchParams.get('limit')))
    const answers: Readonly<Record<string, unknown>> = {
      '/api/logs/head': { head },
      '/api/changes': { changes, head, origin: 'f', license: 'X' },
    }
    const answer = answers[pathname] ?? { user: { name: 'Somebody' } }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  })
}

const isCreation = ({ subject, action }: GivenEntry) => subject === 'waypoint' && action === 'created'
const isAwarded = ({ awards }: GivenEntry) => awards.length > 0

describe('a server that changes the log on the way is refused, and the entry is named:', () => {
  test.each<[string, (entry: GivenEntry) => boolean, (entry: Entry) => void]>([
    ['another name', isCreation, (entry) => (entry.fields = { ...entry.fields, name: 'Other' })],
    ['another award', isAwarded, (entry) => (entry.awards = [['ada', 'addWaypoint', 999]])],
    ['another author', isCreation, (entry) => (entry.by = 'api')],
    ['another seed', isCreation, (entry) => (entry.seed = '0'.repeat(32))],
    ['another key', isCreation, (entry) => Object.assign(entry, { extra: 1 })],
    ['another time', isCreation, (entry) => (entry.at = '9999-01-01T00:00:00.000Z')],
    ['a hole without a redaction', isCreation, (entry) => Object.assign(entry, lost(entry, 'name'))],
    ['withheld fields', isCreation, (entry) => (entry.withheld = 'It is secret')],
  ])('%s', async (_what, matches, change) => {
    const index = (await logOf(registry)).findIndex(matches)
    const changes = (entries: GivenEntry[]) =>
      entries.map((entry) => {
        const copied = structuredClone(entry) as Entry
        if (entry.id === index + 1) change(copied)
        return copied
      })
    const { url } = await lying(registry, { changes })
    await mustRefuse(url, brokenAt({ id: index + 1 }))
  })

  test.each<[string, (entries: GivenEntry[]) => unknown[], object]>([
    ['a missing entry', (entries) => entries.toSpliced(3, 1), { id: 5 }],
    ['a repeated entry', (entries) => entries.toSpliced(3, 0, ...entries.slice(2, 3)), { id: 3 }],
    ['another order', (entries) => entries.toSpliced(3, 2, ...entries.slice(3, 5).toReversed()), { id: 5 }],
    ['no entries at all', () => [], { id: 1, reason: 'ENTRY_MISSING' }],
  ])('%s', async (_, changes, details) => {
    const { url } = await lying(registry, { changes })
    await mustRefuse(url, brokenAt(details))
  })

  test('a head that is not that of its entries', async () => {
    const { url } = await lying(registry, {
      head: (head, { search }) => (search === '' ? { ...head, hash: 'f'.repeat(64) } : head),
    })
    const { id } = await registry.changes.head()
    await mustRefuse(url, brokenAt({ id, reason: 'HEAD_DIFFERS' }))
    const { url: malformed } = await lying(registry, { head: (head) => ({ ...head, hash: 'f' }) })
    await mustRefuse(malformed, { code: 'BAD_RESPONSE' })
  })

  test('a name that nobody could have here', async () => {
    for (const name of ['x'.repeat(300_000), 'a\u0000b', '']) {
      const { url } = await lying(registry, { name: () => name })
      await mustRefuse(url, { code: 'BAD_RESPONSE', details: { issues: [{ path: 'user.name' }] } })
    }
  })
})

function lost(entry: GivenEntry, ...names: string[]): GivenEntry {
  const commitments = commitmentsOf({ fields: entry.fields, seed: entry.seed })
  const fields = Object.fromEntries(Object.entries(entry.fields).filter(([name]) => !names.includes(name)))
  return {
    ...entry,
    seed: undefined,
    fields,
    salts: Object.fromEntries(Object.keys(fields).map((name) => [name, '2'.repeat(32)])),
    commitments: Object.fromEntries(names.map((name) => [name, commitments[name] ?? ''])),
  }
}

const seed = '1'.repeat(32)
const base = { at: '2026-06-01T00:00:00.000Z', by: 'api', seed, awards: [], links: {} }
const next = (id: number, action: string, fields: GivenEntry['fields'], subjectId = 1): GivenEntry => ({
  ...base,
  id,
  subject: 'waypoint',
  subjectId,
  action,
  fields,
})
const made = (id: number, fields: GivenEntry['fields']): GivenEntry => {
  const whole = { amenities: [], approved: true, verified: false, latitude: 1, longitude: 1, name: 'Good' }
  return next(id, 'created', { ...whole, ...fields }, id)
}
const ending = (last: GivenEntry): GivenEntry[] => [
  ...Array.from({ length: last.id - 1 }, (_, index) => made(index + 1, {})),
  last,
]
const redaction = (id: number, target: number, ...names: string[]): GivenEntry => ({
  ...base,
  id,
  subject: 'entry',
  subjectId: target,
  action: 'redacted',
  fields: { names, reason: 'Article 17' },
})
const place = ['latitude', 'longitude']

const impossible: readonly (readonly [what: string, id: number, entries: GivenEntry[]])[] = [
  ['a javascript: image', 3, ending(made(3, { image: 'javascript:alert(1)' }))],
  ['a hole without a redaction', 1, [lost(made(1, {}), 'name')]],
  ['a redaction of a live place', 1, [lost(made(1, {}), ...place), redaction(2, 1, ...place)]],
  ['what only shows after whole pages', 601, ending(next(601, 'edited', { name: 'B' }, 7000))],
]

test.each(impossible)(
  'a log that is whole, but that no registry could have written, is refused as a whole: %s',
  async (_what, id, entries) => mustRefuse(await forging(entries), brokenAt({ id })),
)

test('but such a log is taken over when it is right', async () => {
  const { registry: copy } = await copyInFile()
  const cleared = next(2, 'edited', { name: '(redacted)' })
  const url = await forging([lost(made(1, {}), 'name'), cleared, redaction(3, 1, 'name')])
  await mirrorRegistry(url, copy)
  expect(await copy.changes.verify()).toMatchObject({ ok: true, problems: [], redacted: 1 })
})

describe('a history that is not the one that was copied is refused, with the first entry that differs,', () => {
  let copy: Copy

  beforeEach(async () => {
    copy = await copyInFile()
    const { url } = await lying(registry)
    await mirrorRegistry(url, copy.registry)
  })

  async function branching(others = 40): Promise<Registry> {
    const other = await opened()
    await other.mirror.follow((await logOf(registry)).slice(0, 4))
    for (let each = 0; each < others; each += 1)
      await other.waypoints.create({ name: `Made up ${each}`, latitude: 1, longitude: 1 }, token())
    return other
  }

  test('when it was rewritten', async () => {
    const other = await branching()
    const details = { id: 5, reason: 'ENTRY_DIFFERS', origin: await other.changes.origin() }
    const message = expect.stringContaining('perhaps it was restored from a backup')
    await mustRefuse((await lying(other)).url, { ...brokenAt(details), message }, {}, copy)
  })

  test('when it became shorter', async () => {
    const { url } = await lying(await branching(0))
    await mustRefuse(url, brokenAt({ id: 5, reason: 'LOG_SHORTER' }), {}, copy)
  })

  test('when it has other entries after those that were copied, but pretends not to', async () => {
    const known = await registry.changes.head()
    const { url } = await lying(await branching(), {
      head: (head, { searchParams }) => (searchParams.get('size') === String(known.id) ? known : head),
    })
    await mustRefuse(url, brokenAt({ reason: 'HEAD_DIFFERS' }), {}, copy)
  })

  test('and so is a proof that is made up', async () => {
    await registry.waypoints.create({ name: 'New', latitude: 1, longitude: 1 }, token())
    const { url } = await lying(registry, { proof: (proof) => proof.map(() => 'f'.repeat(64)) })
    await mustRefuse(url, brokenAt({ reason: 'HEAD_DIFFERS' }), {}, copy)
    const proof = Array.from({ length: 1000 }, () => 'f'.repeat(64))
    const { url: long } = await lying(registry, { proof: () => proof })
    await mustRefuse(long, { code: 'BAD_RESPONSE' }, {}, copy)
  })
})

describe('a server that costs too much is left:', () => {
  const head = { head: { id: 1000, hash: 'f'.repeat(64) } }
  const limits = { responseBytes: 100_000, totalBytes: 1_000_000, responseSeconds: 60 }

  test('a small body that becomes a large one', async () => {
    const bomb = gzipSync(Buffer.alloc(64 << 20, ' '))
    expect(bomb.length).toBeLessThan(100_000)
    const url = await listening((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(bomb)
    })
    const details = { url: `${url}/api/logs/head`, bytes: 100_000 }
    await mustRefuse(url, { code: 'TOO_LARGE', details }, { limits })
  })

  test('a body without an end', async () => {
    let sent = 0
    const url = await listening((request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      if (request.url === '/api/logs/head') return response.end(JSON.stringify(head))
      const write = (): void => {
        while (response.writable && response.write(' '.repeat(10_000))) sent += 10_000
      }
      response.on('drain', write)
      return write()
    })
    await mustRefuse(url, { code: 'TOO_LARGE' }, { limits })
    expect(sent).toBeLessThan(100_000_000)
  })

  test('more pages than all together may have', async () => {
    const { url } = await lying(registry)
    await mustRefuse(url, { code: 'TOO_LARGE', details: { bytes: 1000 } }, { limits: { totalBytes: 1000 } })
  })

  test('a body that does not come', async () => {
    const url = await listening((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{')
    })
    const details = { url: `${url}/api/logs/head` }
    await mustRefuse(url, { code: 'TOO_SLOW', details }, { limits: { responseSeconds: 0.2 } })
  })

  test('another address, even on the same host', async () => {
    const { url: elsewhere, asked } = await lying(registry)
    const url = await listening((request, response) => {
      response.writeHead(302, { location: `${elsewhere}${request.url}` }).end()
    })
    await mustRefuse(url, { code: 'REDIRECTED', details: { location: `${elsewhere}/api/logs/head` } })
    expect(asked).toEqual([])
  })

  test('but long entries are fetched in smaller pages', async () => {
    const description = 'Water '.repeat(300)
    for (let each = 0; each < 60; each += 1)
      await registry.waypoints.create({ name: `${each}`, description, latitude: 1, longitude: 1 }, token())
    const { url, asked } = await lying(registry)
    const { registry: copy } = await copyInFile()
    await mirrorRegistry(url, copy, { limits: { responseBytes: 50_000 } })
    expect(await copy.changes.head()).toEqual(await registry.changes.head())
    expect(asked.filter((path) => path.startsWith('/api/changes?')).length).toBeGreaterThan(2)
  })

  test('and one that is busy for a moment is asked again', async () => {
    let refused = 0
    const answer = nodeListener(createApp(registry))
    const url = await listening((request, response) =>
      refused++ === 0 ? response.writeHead(429, { 'retry-after': '0' }).end() : answer(request, response),
    )
    const { registry: copy } = await copyInFile()
    await mirrorRegistry(url, copy)
    expect(await copy.changes.head()).toEqual(await registry.changes.head())
  })
})
