import path from 'node:path'
import { readFile, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import {
  copyRegistry,
  openRegistry,
  token,
  user,
  type Registry,
  type SecurityEvent,
} from '@openfountain/core'
import { emptyRegistry, placed, temporaryFolder, tickingClock } from '@openfountain/testing/registry'

const reason = 'Asked for by the person'
const moderator = token()
const marks = /Zebulon|Grete/u

async function erasedSince(): Promise<{ registry: Registry; backup: string }> {
  const folder = await temporaryFolder()
  const registry = await emptyRegistry({ database: path.join(folder, 'registry.db'), durability: 'relaxed' })
  const { id } = await registry.users.create({ name: 'Grete', email: 'grete@example.org' })
  await registry.users.create({ name: 'Ada' })
  await placed(registry, { name: 'Zebulon Well', description: 'Zebulon lives here' })
  const ada = (await registry.users.list()).users.find(({ name }) => name === 'Ada')?.id ?? ''
  const report = { bubblerId: 1, reason: 'wrong', comment: 'Zebulon again' } as const
  const number = await registry.reports.create(report, user(ada))
  const created = (await registry.changes.head()).id
  const backup = path.join(folder, 'backup.db')
  await registry.backup(backup)
  await registry.changes.redact(created, { reason })
  await registry.reports.erase(number)
  await registry.reports.decide(number, { state: 'done', note: 'Seen' }, moderator)
  await registry.accounts.leave(id, { texts: 'keep' })
  return { registry, backup }
}

/** The backup alone, opened as a database server would restore it: with no files beside it. */
const opened = (database: string, events: SecurityEvent[] = []): Promise<Registry> =>
  openRegistry({
    database,
    clock: tickingClock('2027-01-01T00:00:00.000Z'),
    onSecurityEvent: (event) => events.push(event),
  })

test('a list of what was erased erases it again in an older backup, and nothing else', async () => {
  const { registry, backup } = await erasedSince()
  const list = await registry.erasures.list()
  expect(list).not.toMatch(marks)
  expect(list.split('\n').map((line) => line.replace(/[0-9a-f]{64}$/u, 'HASH'))).toEqual([
    '0 left HASH',
    '0 report HASH',
    expect.stringMatching(/^\d+ description HASH$/u),
    expect.stringMatching(/^\d+ name HASH$/u),
    '',
  ])
  expect((await readFile(backup)).toString('latin1')).toMatch(marks)
  const events: SecurityEvent[] = []
  const restored = await opened(backup, events)
  const origin = await restored.changes.origin()
  const done = { erased: 1, erasedReports: 1, left: 1, deletedPhotos: 0, originRenewed: true }
  expect(await restored.erasures.repeat(list, { origin: 'renew' })).toEqual(done)
  expect(await restored.changes.origin()).not.toBe(origin)
  expect(events.map(({ event }) => event)).toEqual(['registry.restored'])
  expect((await readFile(backup)).toString('latin1')).not.toMatch(marks)
  expect((await restored.users.list()).users.map(({ name }) => name)).toEqual(['Ada'])
  expect(await restored.changes.verify()).toMatchObject({ ok: true, problems: [] })
  // The second time there is no work left, and the restored registry's list has the same people, reports and fields.
  const noErasures = { erased: 0, erasedReports: 0, left: 0, deletedPhotos: 0, originRenewed: false }
  expect(await restored.erasures.repeat(list, { origin: 'keep' })).toEqual(noErasures)
  expect(await restored.erasures.list()).toBe(list)
  await restored.close()
  await registry.close()
})

test('a list of what was erased keeps what earlier lists have, and knows of a report that was written into again', async () => {
  const { registry, backup } = await erasedSince()
  const list = await registry.erasures.list()
  await registry.close()
  await using earlier = await opened(backup)
  expect(await earlier.erasures.list(list)).toBe(list)
  expect(await earlier.erasures.list()).toBe('')
})

test('a list of what was erased is refused when it is another text, and a line that a crash cut off is left out', async () => {
  const { registry, backup } = await erasedSince()
  const list = await registry.erasures.list()
  await registry.close()
  await using restored = await opened(backup)
  const origin = await restored.changes.origin()
  const repeated = restored.erasures.repeat(`${list}{"id":1}\n`, { origin: 'renew' })
  await expect(repeated).rejects.toThrow('list must be a list of erasures, and line 5 is none')
  expect(await restored.changes.origin()).toBe(origin)
  const cut = list.slice(0, -10)
  const most = { erasedReports: 1, left: 1 }
  expect(await restored.erasures.repeat(cut, { origin: 'keep' })).toMatchObject(most)
})

test('a list of what was erased is not lost with the file beside a database: the database knows what was erased in reports, too', async () => {
  const { registry } = await erasedSince()
  const list = await registry.erasures.list()
  await writeFile(`${registry.database}.erased`, '')
  expect(await registry.erasures.list()).toBe(list)
  await registry.close()
  // A copy keeps the list, too: its own file erases the copy's older backups again.
  const copy = `${registry.database}.copy`
  await copyRegistry({ from: registry.database, to: copy })
  const kept = (await readFile(`${copy}.erased`, 'utf8')).trim().split('\n')
  expect(kept.toSorted()).toEqual(list.trim().split('\n'))
})
