import fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import { openRegistry } from '@openfountain/core'
import { createApp, nodeListener } from '@openfountain/server'
import { hostAccounts } from './accounts.ts'

const registry = await openRegistry({ database: process.argv[2] ?? 'fountains.db' })
const fountains = nodeListener(createApp(registry, { resolveActor: hostAccounts(registry) }))

const host = fastify()
host.get('/', () => 'The page of the host')
host.register(async (scope) => {
  // The registry reads its own bodies and writes its own responses.
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', (_request, _body, done) => done(null))
  const forward = (request: FastifyRequest, reply: FastifyReply) => {
    reply.hijack()
    fountains(request.raw, reply.raw)
  }
  scope.all('/api', forward)
  scope.all('/api/*', forward)
})
await host.listen({ port: Number(process.env['PORT'] ?? 3000), host: '127.0.0.1' })
console.log('Listening', host.server.address())
