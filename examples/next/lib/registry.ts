import { openRegistry, type Registry } from '@openfountain/core'
import { createApp, type App } from '@openfountain/server'
import { hostAccounts } from './accounts'

interface Fountains {
  readonly registry: Registry
  readonly app: App
}

let opened: Promise<Fountains> | undefined

/** The registry and its API. `next build` loads this module too, so the database is opened by the first request. */
export function fountains(): Promise<Fountains> {
  opened ??= open().catch((error: unknown) => {
    opened = undefined // the next request tries again
    throw error
  })
  return opened
}

async function open(): Promise<Fountains> {
  const registry = await openRegistry({ database: process.env['FOUNTAINS_DB'] ?? 'fountains.db' })
  const app = createApp(registry, {
    resolveActor: hostAccounts(registry),
    publicUrl: process.env['PUBLIC_URL'] ?? 'http://localhost:3000', // Next's requests name localhost, whatever their host
    compress: false, // Next compresses by itself
  })
  return { registry, app }
}
