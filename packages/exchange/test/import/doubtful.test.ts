import { token, user, type Registry } from '@openfountain/core'
import { emptyRegistry, placed, refusal } from '@openfountain/testing/registry'
import { describe, expect, test } from 'vitest'
import { feature, geojson, importContent } from './fixture.ts'

const north = (metres: number) => metres / 111_195

const named = ['Marktplatz', 'Löwenbrunnen', 'Bärenbrunnen', 'Engelbrunnen'] as const
const rows = (names: readonly string[] = named) =>
  names.map((name) =>
    feature(
      8,
      47 + named.indexOf(name as 'Marktplatz') / 10 + north(60),
      { name, description: 'by them' },
      name,
    ),
  )

async function withFour(): Promise<Registry> {
  const registry = await emptyRegistry()
  for (const [index, name] of named.entries())
    await placed(registry, { name, latitude: 47 + index / 10, longitude: 8 })
  return registry
}

const waiting = async (registry: Registry) =>
  (await registry.moderation.queue({ kind: 'doubtful' }, token())).items.map(({ row }) => row?.ref)

describe('doubtful rows wait in the registry', () => {
  test('once, however often the file comes, until the source no longer lists them', async () => {
    const registry = await withFour()
    const { counts } = await importContent(registry, geojson(...rows()))
    expect(counts).toMatchObject({ doubtful: 4, created: 0 })
    const { items, total } = await registry.moderation.queue({ kind: 'doubtful' }, token())
    expect(total).toBe(4)
    expect(items[0]).toMatchObject({
      kind: 'doubtful',
      waypoint: { id: 1 },
      metres: 60,
      row: { id: 1, ref: 'Marktplatz', row: 1, name: 'Marktplatz', description: 'by them' },
    })
    await importContent(registry, geojson(...rows()))
    expect(await waiting(registry)).toEqual(named)
    await importContent(registry, geojson(...rows(named.slice(0, 2))), { accept: ['shrink'] })
    expect(await waiting(registry)).toEqual(named.slice(0, 2))
    await registry.imports.undo()
    expect(await waiting(registry)).toEqual(named)
    expect((await registry.changes.verify()).ok).toBe(true)
  })

  test('until a text in them has to go, and those alone are deleted', async () => {
    const registry = await withFour()
    await importContent(registry, geojson(...rows()))
    const all = await Array.fromAsync(registry.moderation.rows())
    const found = all.filter(({ values }) => JSON.stringify(values).includes('Löwenbrunnen'))
    expect(found.map(({ ref }) => ref)).toEqual(['Löwenbrunnen'])
    await registry.moderation.eraseRows([...found.map(({ id }) => id), 99])
    expect(await waiting(registry)).toEqual(named.filter((name) => name !== 'Löwenbrunnen'))
    expect(JSON.stringify(await Array.fromAsync(registry.moderation.rows()))).not.toContain('Löwenbrunnen')
    expect((await registry.changes.verify()).ok).toBe(true)
  })

  test('a dry run keeps none', async () => {
    const registry = await withFour()
    const { counts } = await importContent(registry, geojson(...rows()), { dryRun: true })
    expect(counts.doubtful).toBe(4)
    expect(await waiting(registry)).toEqual([])
  })

  test('several are decided at once, without XP, and hold when the file comes again', async () => {
    const registry = await withFour()
    const mo = user((await registry.users.create({ name: 'Mo', isModerator: true, xp: 7 })).id)
    await importContent(registry, geojson(...rows()))
    const decisions = [
      { id: 1, decision: 'same' },
      { id: 2, decision: 'new' },
      { id: 3, decision: 'skip' },
      { id: 99, decision: 'new' },
    ] as const
    const decided = await registry.moderation.decide({ decisions: [...decisions] }, mo)
    expect(decided).toMatchObject([
      { id: 1, decision: 'same', waypointId: 1 },
      { id: 2, decision: 'new', waypointId: 5 },
      { id: 3, decision: 'skip' },
      { id: 99, error: { code: 'NOT_FOUND' } },
    ])
    expect(await registry.moderation.decide({ decisions: [...decisions] }, mo)).toEqual(decided)
    expect(await registry.waypoints.get(1)).toMatchObject({ description: 'by them' })
    expect((await registry.users.get(mo.userId)).xp).toBe(7)
    expect(await waiting(registry)).toEqual(['Engelbrunnen'])
    const { counts } = await importContent(registry, geojson(...rows()))
    expect(counts).toMatchObject({ unchanged: 2, leftOut: 1, doubtful: 1, created: 0, missing: 0 })
    const otherwise = await registry.moderation.decide({ decisions: [{ id: 1, decision: 'new' }] }, mo)
    expect(otherwise).toMatchObject([{ error: { code: 'CONFLICT' } }])
    await registry.moderation.decide({ decisions: [{ id: 3, decision: 'open' }] }, mo)
    expect(await waiting(registry)).toEqual(['Bärenbrunnen', 'Engelbrunnen'])
    expect((await registry.changes.verify()).ok).toBe(true)
  })

  test('what was decided is undone with the import', async () => {
    const registry = await withFour()
    await importContent(registry, geojson(...rows()))
    await registry.moderation.decide(
      {
        decisions: [
          { id: 1, decision: 'same' },
          { id: 2, decision: 'new' },
        ],
      },
      token(),
    )
    const dry = await registry.imports.undo({ dryRun: true })
    const undone = await registry.imports.undo()
    expect(undone).toMatchObject({ removed: 1, reverted: 1, delisted: 1, kept: [] })
    expect(dry).toEqual(undone)
    expect(await registry.waypoints.list()).toHaveLength(4)
    expect((await registry.waypoints.get(1)).description).toBeUndefined()
    expect(await waiting(registry)).toEqual([])
    expect((await registry.changes.verify()).ok).toBe(true)
  })

  test('moderators and tokens that moderate see and decide them, and nobody else', async () => {
    const registry = await withFour()
    await importContent(registry, geojson(...rows()))
    const ada = user((await registry.users.create({ name: 'Ada', xp: 1000 })).id)
    const decisions = [{ id: 1, decision: 'new' as const }]
    for (const actor of [ada, token(undefined, 'contribute'), { kind: 'anonymous' } as const]) {
      expect((await refusal(registry.moderation.queue({ kind: 'doubtful' }, actor))).code).toMatch(
        /FORBIDDEN|UNAUTHORIZED/,
      )
      expect((await refusal(registry.moderation.decide({ decisions }, actor))).code).toMatch(
        /FORBIDDEN|UNAUTHORIZED/,
      )
    }
    expect(await registry.moderation.decide({ decisions }, token(undefined, 'moderate'))).toMatchObject([
      { decision: 'new', waypointId: 5 },
    ])
  })
})
