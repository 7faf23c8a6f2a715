import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { verifiedCheckpoint, verifierKey } from '@openfountain/tlog'
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

test('a mirror with the key cosigns the log: its API, exports and proofs have both signatures', async () => {
  const { answer, at, json, refused, run, serving } = await workplace()
  await writeFile(at('lund.csv'), 'id,name,latitude,longitude\na1,Market square,55.7,13.1\n')
  await json('import lund.csv --source Lund --license CC0-1.0')
  const log = (await run('log key create --origin-name fountains.example')).stdout.trim()
  const instance = await serving()
  const mirror = `mirror ${instance.url} --db copy.db --key ${log}`
  await refused(mirror, 2, '--witness-name is needed')
  await refused(`${mirror} --witness-name a+b`, 2, '--witness-name must have a name without spaces')
  const { cosigned } = await answer(
    z.object({ cosigned: z.int() }),
    `${mirror} --witness-name mirror.example`,
  )
  const [, own = ''] = (await run('log key list --db copy.db')).stdout.trim().split('\n')
  const keys = await Promise.all([log, own].map(verifierKey))
  await json('export --db copy.db --out out --formats changes')
  const copied = await serving('--db copy.db')
  const asked = await (await fetch(`${copied.url}/api/log/checkpoint`)).text()
  expect(readFileSync(at('out/log/checkpoint'), 'utf8')).toBe(asked)
  expect(readFileSync(at('out/log/witnesses'), 'utf8')).toBe(`${own}\n`)
  const { size, cosigners } = await verifiedCheckpoint(asked, keys)
  expect([size, cosigners.map(({ key: { name } }) => name)]).toEqual([cosigned, ['mirror.example']])
  await writeFile(at('proof.json'), (await run('log prove 1 --db copy.db')).stdout)
  expect((await run(`log check proof.json --key ${log}`)).code).toBe(0)
  await json('waypoint remove 1 --reason Gone')
  expect(await json(mirror)).toMatchObject({ cosigned: cosigned + 1 })
  await refused(`mirror ${instance.url} --db :memory: --key ${log}`, 2, 'OPENFOUNTAIN_WITNESS is needed')
})
