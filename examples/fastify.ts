import { openRegistry } from '@openfountain/core'
import { fountains } from '@openfountain/fastify'
import fastify from 'fastify'
import { hostAccounts } from './accounts.ts'

const registry = await openRegistry({ database: process.argv[2] ?? 'fountains.db' })

const host = fastify()
host.get('/', () => 'The page of the host')
await host.register(fountains, { registry, resolveActor: hostAccounts(registry) })
host.addHook('onClose', () => registry.close())
await host.listen({ port: Number(process.env['PORT'] ?? 3000), host: '127.0.0.1' })
console.log('Listening', host.server.address())
