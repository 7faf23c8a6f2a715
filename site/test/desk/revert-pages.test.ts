import { token, user } from '@openfountain/core'
import { emptyRegistry } from '@openfountain/testing/registry'
import { expect, it } from 'vitest'
import { revertPages, type RevertPage, type RevertSum } from '../../src/desk/page/revert-pages.ts'

const how = { since: '2026-01-01T00:00:00.000Z', reason: 'Vandalism' }

async function vandalised() {
  const registry = await emptyRegistry({ clock: () => new Date('2026-01-01T12:00:00.000Z') })
  for (const id of ['ada', 'vandal']) await registry.users.create({ id, name: id, xp: 100 })
  await registry.waypoints.create({ name: 'Market', latitude: 47, longitude: 8 }, user('ada'))
  for (let edit = 1; edit <= 1005; edit += 1) {
    if (edit === 3) await registry.waypoints.update(1, { name: 'Old market' }, user('ada'))
    await registry.waypoints.update(1, { name: `Spam ${edit}` }, user('vandal'))
  }
  const page = (dryRun: boolean) => (before: number | undefined) => {
    const options = { ...how, dryRun, before }
    // A moderator would have to wait an hour after the first page.
    return registry.users.revert('vandal', options, token())
  }
  return { registry, page }
}

const figures = ({ reverted, conflicts, isWhole }: RevertSum) =>
  [reverted, conflicts.length, isWhole].join(' ')

it('undoing what a person did, page by page says before what it does, stops after the page that is being undone, and goes on to the last one when it is begun again', async () => {
  const { registry, page } = await vandalised()
  const all = async (dryRun: boolean) => {
    const sums = []
    for await (const sum of revertPages(page(dryRun))) sums.push(figures(sum))
    return sums
  }
  expect(await all(true)).toEqual(['500 0 false', '1000 0 false', '1003 2 true'])
  expect((await registry.waypoints.get(1)).name).toBe('Spam 1005')
  for await (const sum of revertPages(page(false))) {
    expect(figures(sum)).toBe('500 0 false')
    break
  }
  expect((await all(false)).at(-1)).toBe('503 2 true')
  expect((await registry.waypoints.get(1)).name).toBe('Old market')
})

it('undoing what a person did, page by page keeps what was counted when a page fails', async () => {
  const counted: number[] = []
  const failing = revertPages(async (before): Promise<RevertPage> => {
    if (before === undefined) return { reverted: [3, 2], conflicts: [], next: 2 }
    throw new Error('The network is gone')
  })
  await expect(async () => {
    for await (const { reverted } of failing) counted.push(reverted)
  }).rejects.toThrow('The network is gone')
  expect(counted).toEqual([2])
})
