import express from 'express'
import { openRegistry } from '@openfountain/core'
import { createApp, nodeListener } from '@openfountain/server'
import { hostAccounts } from './accounts.ts'

const registry = await openRegistry({ database: process.argv[2] ?? 'fountains.db' })
const fountains = nodeListener(createApp(registry, { resolveActor: hostAccounts(registry) }))

const host = express()
host.all(['/api', '/api/*path'], fountains) // before express.json(): the registry reads its own bodies
host.use(express.json())
host.get('/', (_request, response) => void response.send('The page of the host'))
const server = host.listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1', () =>
  console.log('Listening', server.address()),
)
