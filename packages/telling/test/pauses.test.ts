import { createServer } from 'node:http'
import { copyRegistry, openRegistry, restoreDatabase, token, type Registry } from '@openfountain/core'
import { listening } from '@openfountain/testing/listening'
import { emptyRegistry, placed, temporaryFolder } from '@openfountain/testing/registry'
import { expect, test } from 'vitest'
import { Deliveries, Sender } from '../src/index.ts'

const sender = new Sender({ key: () => 'k'.repeat(32), insecure: true })
const keys = { p256dh: sender.pushKey(), auth: 'A'.repeat(22) }

test.each([
  ['restored', 'now', true],
  ['restored', 'place', true],
  ['copied', 'now', true],
  ['renewed', 'now', true],
  ['copied', 'now', false],
] as const)(
  'a %s database tells nothing before the operator says so (from %s, with a webhook: %s), and then by all ways',
  async (how, from, withWebhook) => {
    const folder = await temporaryFolder()
    const told: string[] = []
    const server = createServer((request, response) => {
      told.push(request.url ?? '')
      response.writeHead(204).end()
    })
    const url = `http://127.0.0.1:${await listening(server)}`
    const registry = await emptyRegistry({ database: `${folder}/a.db` })
    const { id: ada } = await registry.users.create({ name: 'Ada' })
    const key = 'ada@example.org'
    await registry.accounts.addIdentity(ada, { key, provider: 'email', label: key })
    const { id } = await placed(registry)
    const telling = (of: Registry) => {
      const mailDigest = async () => (told.push('/mail'), 'done' as const)
      const deliveries = new Deliveries(of, sender, { mailDigest })
      return async (name: string) => {
        await of.waypoints.update(id, { name }, token())
        await deliveries.tellFollowers()
        await deliveries.look()
        await deliveries.push()
        await deliveries.mail()
        await deliveries.idle()
        return told.splice(0).toSorted()
      }
    }
    const all = (events: number) => [
      ...Array.from({ length: withWebhook ? events : 0 }, () => '/hook'),
      '/mail',
      ...Array.from({ length: events }, () => '/push'),
    ]
    const before = telling(registry)
    await before('First')
    if (withWebhook) await registry.webhooks.create({ url: `${url}/hook` }, token())
    await registry.follows.create(ada, {
      what: { bubblerId: id },
      by: ['web', 'mail', 'push'],
      rhythm: 'at-once',
    })
    await registry.follows.addDevice(ada, { endpoint: `${url}/push`, keys })
    await registry.waypoints.update(id, { name: 'Not told' }, token())
    const database = `${folder}/b.db`
    await registry.backup(`${folder}/backup.db`)
    if (how === 'restored') await restoreDatabase({ from: `${folder}/backup.db`, database })
    else await copyRegistry({ from: registry.database, to: database })
    await using other = await openRegistry({ database })
    if (how === 'renewed') await other.erasures.repeat(await other.erasures.list(), { origin: 'renew' })
    const after = telling(other)
    expect([await after('Second'), (await other.webhooks.state()).isPaused]).toEqual([[], true])
    // A webhook that is added meanwhile resumes nothing.
    await other.webhooks.create({ url: `${url}/none`, events: ['photo'] }, token())
    expect(await after('Third')).toEqual([])
    await other.webhooks.resume(from)
    expect(await after('Fourth')).toEqual(all(from === 'now' ? 1 : 4))
    expect((await other.follows.notifications(ada)).notifications).toHaveLength(4)
    expect(await before('Here')).toEqual(all(2))
  },
)
