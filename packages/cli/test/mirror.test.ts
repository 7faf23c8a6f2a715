import { writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { workplace } from '@openfountain/testing/command/shell'

const Followed = z.object({ entries: z.int(), head: z.object({ id: z.int(), hash: z.string() }) })

test('a mirror copies another instance, follows it, and refuses a history that was rewritten', async () => {
  const { answer, at, codes, json, refused, run, serving } = await workplace()
  const imported = async (row: string, more = '') => {
    await writeFile(at('lund.csv'), `id,name,latitude,longitude\n${row}\n`)
    await json(`import lund.csv --source Lund --license CC0-1.0 --keep-missing ${more}`)
  }
  await imported('a1,Market square,55.7029,13.1929\na2,Botanical garden,55.7038,13.2012')
  const { head: before } = await answer(z.object({ head: z.object({ id: z.int() }) }), 'backup before.db')
  const instance = await serving()
  const mirror = `mirror ${instance.url} --db copy.db`
  expect(await json(mirror)).toMatchObject({ entries: before.id })
  expect((await run('log head --db copy.db')).stdout).toBe((await run('log head')).stdout)
  await imported('a3,Station,55.7,13.18')
  const { entries, head } = await answer(Followed, mirror)
  expect([entries, head.id > before.id]).toEqual([head.id - before.id, true])
  expect(await codes('log verify --db copy.db')).toEqual([0])
  await instance.stop()

  await imported('b1,Elsewhere,10,20', '--db before.db')
  const rewritten = await serving('--db before.db')
  await refused(`mirror ${rewritten.url} --db copy.db`, 4, `entry ${before.id + 1} is the first that differs`)
  expect(await json('stats --db copy.db')).toMatchObject({ totalWaypoints: 3 })
})
