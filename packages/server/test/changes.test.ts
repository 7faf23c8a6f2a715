import { token, type Head, type LoggedEntry } from '@openfountain/core'
import { isConsistent, isIncluded } from '@openfountain/tlog'
import { beforeEach, expect, test } from 'vitest'
import { ring, type Stage, serving } from '@openfountain/testing/server/stage'

let stage: Stage
beforeEach(async () => {
  stage = await serving()
})

const asked = async <Body>(path: string): Promise<Body> => (await stage.get(path)).body as unknown as Body

interface Page {
  readonly changes: readonly LoggedEntry[]
  readonly head: Head
  readonly origin: string
}

const pageOf = (query = ''): Promise<Page> => asked(`/api/changes${query}`)

test('GET /api/changes has entries of all kinds, and the head and the origin of the log', async () => {
  await stage.registry.areas.create({ name: 'Lund', coordinates: [ring] }, token())
  const { changes, head, origin } = await pageOf()
  expect(changes).toEqual(await stage.registry.changes.entries(0, 100))
  expect(new Set(changes.map(({ subject }) => subject))).toEqual(
    new Set(['user', 'waypoint', 'review', 'area']),
  )
  expect(head).toEqual(await stage.registry.changes.head())
  expect((await stage.get('/api/logs/head')).body['head']).toEqual(head)
  expect(origin).toBe(await stage.registry.changes.origin())
})

test('GET /api/changes keeps to the limit, returns 100 by default, and nothing after the end', async () => {
  for (let number = 0; number < 100; number++) await stage.made({})
  expect((await pageOf()).changes).toHaveLength(100)
  expect((await pageOf('?limit=2&after=5')).changes.map(({ id }) => id)).toEqual([6, 7])
  expect(await pageOf('?after=9999')).toMatchObject({ changes: [], head: { id: 110 } })
  expect((await pageOf('?limit=1000')).changes).toHaveLength(110)
  for (const query of ['limit=0', 'limit=1001', 'limit=x', 'after=-1', 'after=1&after=2'])
    expect(await stage.refusal(`/api/changes?${query}`)).toEqual([400, 'INVALID_INPUT'])
})

const treeOf = ({ id, hash }: Head) => ({ size: id, root: hash })
const headAt = async (size: number): Promise<Head> =>
  (await asked<{ head: Head }>(`/api/logs/head?size=${size}`)).head

test('proofs are those of consistency between any two sizes, and of each entry in every tree that has it', async () => {
  const { id } = await stage.registry.changes.head()
  const heads = await Promise.all(Array.from({ length: id + 1 }, (_, size) => headAt(size)))
  for (const [to, newer] of heads.entries())
    for (const [from, older] of heads.slice(0, to + 1).entries()) {
      const response = await asked<{ head: Head; proof: string[] }>(
        `/api/logs/consistency?from=${from}&to=${to}`,
      )
      expect(response.head).toEqual(newer)
      expect(isConsistent(treeOf(older), treeOf(newer), response.proof)).toBe(true)
      const another = { size: from, root: 'a'.repeat(64) }
      expect(from > 0 && isConsistent(another, treeOf(newer), response.proof)).toBe(false)
      if (from === 0) continue
      const { leaf, head, proof } = await asked<{ leaf: string; head: Head; proof: string[] }>(
        `/api/logs/${from}/proof?size=${to}`,
      )
      expect(head).toEqual(newer)
      expect(isIncluded({ index: from - 1, hash: leaf }, treeOf(newer), proof)).toBe(true)
    }
})

test('proofs are of the tree of now by default, and sizes that cannot be are named', async () => {
  const { id } = await stage.registry.changes.head()
  for (const path of ['consistency?from=3', '1/proof'])
    expect(await asked(`/api/logs/${path}`)).toMatchObject({ head: { id } })
  for (const [path, name] of [
    ['logs/head?size=999', 'size'],
    ['logs/consistency', 'from'],
    [`logs/consistency?from=1&to=${id + 1}`, 'to'],
    ['logs/consistency?from=4&to=3', 'from'],
    [`logs/consistency?from=${id + 1}`, 'from'],
    ['logs/consistency?from=1.5', 'from'],
    [`logs/1/proof?size=${id + 1}`, 'size'],
    ['logs/x/proof', 'id'],
  ] as const) {
    const { status, body } = await stage.get(`/api/${path}`)
    expect([path, status, body['code']]).toEqual([path, 400, 'INVALID_INPUT'])
    expect(body['details']).toMatchObject({ issues: [{ path: name }] })
  }
  for (const path of ['3/proof?size=2', `${id + 1}/proof`, '0/proof'])
    expect(await stage.refusal(`/api/logs/${path}`)).toEqual([404, 'NOT_FOUND'])
})
