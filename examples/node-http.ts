import { createServer } from 'node:http'
import { openRegistry } from '@openfountain/core'
import { createApp, guard, nodeListener } from '@openfountain/server'
import { hostAccounts } from './accounts.ts'

const registry = await openRegistry({ database: process.argv[2] ?? 'fountains.db' })
const fountains = nodeListener(createApp(registry, { resolveActor: hostAccounts(registry) }))

const host = createServer((request, response) => {
  if (/^\/api(?:[/?]|$)/u.test(request.url ?? '')) fountains(request, response)
  else response.end('The page of the host')
})
guard(host) // limits for clients that hang or send slowly
host.listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1', () => console.log('Listening', host.address()))
