/** @module-tag long */
import { execFile } from 'node:child_process'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { openRegistry } from '@openfountain/core'
import { following } from '@openfountain/core/rules'
import { placed, temporaryFolder } from '@openfountain/testing/registry'
import { expect, test } from 'vitest'
import { Deliveries, Sender } from '../src/index.ts'

const followers = 10_000
const entry = fileURLToPath(new URL('../src/index.ts', import.meta.url))

const mailing = `
import { openRegistry } from '@openfountain/core'
import { Deliveries, Sender } from ${JSON.stringify(entry)}
const registry = await openRegistry({ database: process.argv[1], durability: 'relaxed' })
let events = 0
const mailDigest = async ({ notifications }) => ((events += notifications.length), 'done')
const deliveries = new Deliveries(registry, new Sender({ key: () => '' }), { mailDigest })
await deliveries.mail()
console.log(events)
await deliveries.stop()
await registry.close()`

test(
  'a write reads no follower, and the mails of ten thousand need little memory',
  { timeout: 300_000 },
  async () => {
    const database = path.join(await temporaryFolder(), 'fountains.db')
    await using registry = await openRegistry({ database, durability: 'relaxed' })
    const { accounts, follows, users } = registry
    const follower = async (index: number) => {
      const { id } = await users.create({ name: `Person ${index}` })
      const key = `person-${index}@example.org`
      await accounts.addIdentity(id, { key, provider: 'email', label: key })
      await follows.create(id, { what: { bbox: [0, 0, 90, 80] }, by: ['web', 'mail'], rhythm: 'at-once' })
    }
    for (let from = 0; from < followers; from += 500)
      await Promise.all(Array.from({ length: 500 }, (_, index) => follower(from + index)))
    const deliveries = new Deliveries(registry, new Sender({ key: () => '' }))
    await deliveries.tellFollowers()
    using file = new DatabaseSync(database)
    file.exec(`create temp table kept as select id, value from secrets where kind = 'follow';
    update secrets set value = '{"what":null}' where kind = 'follow'`)
    for (let index = 0; index < following.mailed; index++)
      await placed(registry, { latitude: 10 + index / 10 })
    await expect(deliveries.tellFollowers()).rejects.toThrow('null')
    file.exec('update secrets set value = kept.value from kept where kept.id = secrets.id')
    await deliveries.tellFollowers()
    await deliveries.stop()
    const given = ['--max-old-space-size=128', '--conditions=openfountain-source', '--input-type=module']
    const { stdout } = await promisify(execFile)(process.execPath, [...given, '-e', mailing, database])
    expect(Number(stdout)).toBe(followers * following.mailed)
  },
)
