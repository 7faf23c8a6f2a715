import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { openRegistry } from '@openfountain/core'
import { createApp } from '@openfountain/server'
import { hostAccounts } from './accounts.ts'

const registry = await openRegistry({ database: process.argv[2] ?? 'fountains.db' })
const fountains = createApp(registry, { resolveActor: hostAccounts(registry) })

const host = new Hono()
host.get('/', (context) => context.text('The page of the host'))
host.all('/api/*', (context) => fountains.fetch(context.req.raw)) // matches /api too
serve(
  // Hono's own Request and Response would replace Node's in the whole process.
  {
    fetch: host.fetch,
    port: Number(process.env['PORT'] ?? 3000),
    hostname: '127.0.0.1',
    overrideGlobalObjects: false,
  },
  (address) => console.log('Listening', address),
)
