import path from 'node:path'
import { expect, test } from 'vitest'
import { defaultRules, openRegistry, RegistryError, token, type Actor } from '@openfountain/core'
import type { Deciding, Decision, Job } from '../../src/decide/deciding.ts'
import { revertEntry } from '../../src/decide/revert.ts'
import { createWaypoint, deleteWaypoint, updateWaypoint } from '../../src/decide/waypoint.ts'
import { timeOfWrite, type Outcome } from '../../src/log/script.ts'
import type { Store } from '../../src/store/port.ts'
import { openSqlite } from '../../src/store/sqlite/store.ts'
import { emptyRegistry, placed, square, temporaryFolder, tickingClock } from '@openfountain/testing/registry'
import { people, World } from '../decide/world.ts'

const rules = defaultRules
const creating = (input: object = square, actor: Actor = token()): Job<{ readonly id: number }> => ({
  decide: (at) => createWaypoint({ rules, actor, at }, input),
})
const deleting = (id: number): Job<{ readonly id: number }> => ({
  decide: (at) => deleteWaypoint({ rules, actor: token(), at }, id),
})
const editing = (id: number, patch: object, actor: Actor = token()): Job<{ readonly id: number }> => ({
  decide: (at) => updateWaypoint({ rules, actor, at }, id, patch),
})
const throwing: Job<{ readonly id: number }> = {
  *decide() {
    yield []
    throw new TypeError('unexpected')
  },
}

const why = (error: unknown): string => (error instanceof RegistryError ? error.code : String(error))
const answersOf = (outcomes: readonly Outcome<{ readonly id: number }>[]): unknown[] =>
  outcomes.map((outcome) => (outcome.ok ? outcome.answer.id : why(outcome.error)))
const settled = async (promises: readonly Promise<{ readonly id: number }>[]): Promise<unknown[]> =>
  Promise.all(promises.map((each) => each.then(({ id }) => id, why)))

const opened = (database = ':memory:'): Promise<Store> => openSqlite(database, { clock: tickingClock() })

const sizeOf = async (store: Store): Promise<number> => (await store.read.entries.head()).id

test('questions about the log see what the batch wrote itself', () => {
  const world = new World({ user: people })
  const reverting = (id: number): Job<{ readonly id: number }> => ({
    *decide(at) {
      const decision = yield* revertEntry({ rules, actor: token(), at }, id, { reason: 'spam' })
      return { ...decision, answer: { id: decision.answer[0] ?? 0 } }
    },
  })
  const jobs = [reverting(2), creating(), editing(1, { name: 'Spam' }), reverting(2), reverting(2)]
  expect(answersOf(world.write(jobs))).toEqual(['NOT_FOUND', 1, 1, 3, 'CONFLICT'])
  expect(world.get('waypoint', 1)?.name).toBe(square.name)
})

test('a dry run decides over what stands, and leaves nothing to the jobs after it', () => {
  const world = new World({ user: people })
  const dry = { ...creating(), dryRun: true }
  expect(
    answersOf(world.write([dry, creating(), dry, { ...deleting(1), dryRun: true }, creating()])),
  ).toEqual([1, 1, 2, 1, 2])
  expect(world.state.size).toBe(2)
})

test('what is unexpected undoes only its own of the writes that wait together; the others keep their order', async () => {
  const store = await opened()
  const refused = creating({ name: '' })
  const writes = [creating(), throwing, creating(), refused, deleting(1), throwing, creating()]
  const unexpected = 'TypeError: unexpected'
  const ends = [1, unexpected, 2, 'INVALID_INPUT', 1, unexpected, 3]
  expect(await settled(writes.map((job) => store.write(job)))).toEqual(ends)
  const entries = await store.read.entries.after(0, 10)
  const made = entries.map(({ subjectId, action }) => `${action} ${subjectId}`)
  expect(made).toEqual(['created 1', 'created 2', 'deleted 1', 'created 3'])
  await store.close()
})

test('an entry that cannot come next undoes itself alone', async () => {
  const store = await opened()
  const impossible: Job<{ readonly id: number }> = {
    *decide(): Deciding<Decision<{ readonly id: number }>> {
      yield []
      const entry = { subject: 'waypoint', subjectId: 99, action: 'edited', fields: { name: 'x' } } as const
      return { entries: [entry], by: 'api', answer: { id: 99 } }
    },
  }
  const writes = [creating(), impossible, creating()]
  expect(await settled(writes.map((job) => store.write(job)))).toEqual([1, 'CHAIN_BROKEN', 2])
  expect(await sizeOf(store)).toBe(2)
  await expect(store.writeBatch(writes)).rejects.toMatchObject({ code: 'CHAIN_BROKEN' })
  expect(await sizeOf(store)).toBe(2)
  await store.close()
})

test('writes that wait together are answered in their order, and share a revision', async () => {
  const registry = await emptyRegistry()
  const before = await registry.revision()
  const ids = Array.from({ length: 20 }, (_, index) => index + 1)
  const waypoints = await Promise.all(ids.map((id) => placed(registry, { name: `${id}` })))
  expect(waypoints.map(({ id, name }) => [id, name])).toEqual(ids.map((id) => [id, `${id}`]))
  expect(new Set(waypoints.map(({ createdAt }) => createdAt)).size).toBe(1)
  expect((await registry.revision()) - before).toBe(1)
  expect((await registry.changes.verify()).problems).toEqual([])
})

test('a batch comes after what was asked for before it', async () => {
  const store = await opened()
  const waiting = store.write(creating())
  const batch = store.writeBatch([deleting(1), creating()])
  expect((await waiting).id).toBe(1)
  expect(answersOf(await batch)).toEqual([1, 2])
  await store.close()
})

test('closing writes what waits', async () => {
  const database = path.join(await temporaryFolder(), 'a.db')
  const store = await opened(database)
  const waiting = store.write(creating())
  await store.close()
  expect((await waiting).id).toBe(1)
  const again = await opened(database)
  expect(await sizeOf(again)).toBe(1)
  await again.close()
})

test('dry runs decide also where nothing can be written', async () => {
  const database = path.join(await temporaryFolder(), 'a.db')
  const registry = await openRegistry({ database, clock: tickingClock() })
  await registry.waypoints.create(square, token())
  await registry.close()
  const reading = await emptyRegistry({ database, readOnly: true })
  const before = [await reading.changes.head(), await reading.revision()]
  const run = await reading.imports.start({ source: { name: 'Lund', license: 'CC0-1.0' } })
  const outcomes = await run.decide([
    { row: 1, ref: 'a', input: square },
    { row: 2, ref: 'b', input: { name: '' } },
    { row: 3, ref: 'c', input: square, mergeInto: 1 },
  ])
  expect(outcomes.map(({ kind }) => kind)).toEqual(['created', 'refused', 'linked'])
  const options = { since: '2026-01-01T00:00:00Z', reason: 'x', dryRun: true, evenBuiltIn: true }
  expect(await reading.users.revert('api', options, token())).toEqual({ reverted: [1], conflicts: [] })
  expect([await reading.changes.head(), await reading.revision()]).toEqual(before)
})

const newest = '2026-03-01T00:00:00.000Z'
test.for<[string, string, string]>([
  ['later', '2026-03-01T00:00:00.001Z', '2026-03-01T00:00:00.001Z'],
  ['the same', newest, newest],
  ['a millisecond behind', '2026-02-28T23:59:59.999Z', newest],
  ['a day behind', '2026-02-28T00:00:00.000Z', newest],
])('a clock that is %s', ([, now, at]) => {
  expect(timeOfWrite({ now: new Date(now), lastWrite: newest })).toBe(at)
})

test('a clock that is more than a day behind is refused, unless it is accepted', () => {
  const now = new Date('2026-02-27T23:59:59.999Z')
  expect(() => timeOfWrite({ now, lastWrite: newest })).toThrow('set the clock')
  expect(timeOfWrite({ now, acceptClock: true, lastWrite: newest })).toBe(newest)
  expect(timeOfWrite({ now, lastWrite: undefined })).toBe(now.toISOString())
})
