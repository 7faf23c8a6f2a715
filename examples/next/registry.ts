import { openRegistry } from '@openfountain/core'
import { createApp } from '@openfountain/server'
import { hostAccounts } from '../accounts.ts'

/** lib/registry.ts of a Next app: opened once a process. next.config: serverExternalPackages: ['@openfountain/core'] */
export const registry = await openRegistry({ database: process.env['FOUNTAINS_DB'] ?? 'fountains.db' })
export const fountains = createApp(registry, { resolveActor: hostAccounts(registry) })
