import { rm } from 'node:fs/promises'
import {
  type LogEntry,
  openRegistry,
  type Registry,
  type RegistryOptions,
  token,
  type Waypoint,
  type WaypointInput,
} from '@openfountain/core'
import type { Action } from '@openfountain/core/internal'
import { afterwards } from './afterwards.ts'
import { ownDatabase } from './database.ts'
import { newFolder } from './folder.ts'

/** A clock that starts at 2026-01-01T00:00:00Z and advances by a second with each reading. */
export function tickingClock(start = '2026-01-01T00:00:00.000Z'): () => Date {
  let now = Date.parse(start)
  return () => {
    const date = new Date(now)
    now += 1000
    return date
  }
}

/** An empty registry, in memory by default, with a ticking clock and ids u1, u2, …; closed after the test. */
export async function emptyRegistry(options: Partial<RegistryOptions> = {}): Promise<Registry> {
  let users = 0
  const { database = ':memory:' } = options
  const registry = await openRegistry({
    clock: tickingClock(),
    ids: () => `u${++users}`,
    ...options,
    database: database === ':memory:' ? await ownDatabase() : database,
  })
  afterwards(() => registry.close())
  return registry
}

export async function temporaryFolder(): Promise<string> {
  const folder = newFolder()
  afterwards(() => rm(folder, { recursive: true, force: true }))
  return folder
}

export const square = { name: 'Market square', latitude: 55.7029, longitude: 13.1929 }

export const ring = [
  [13, 55],
  [14, 55],
  [14, 56],
  [13, 55],
]

export function placed(
  registry: Registry,
  input: Partial<Record<keyof Waypoint, unknown>> = {},
): Promise<Waypoint> {
  return registry.waypoints.create({ ...square, ...input } as WaypointInput, token())
}

/** The newest action on a waypoint, or the newest of one kind: log entry ids are shared by all kinds. */
export async function newestOn(registry: Registry, bubblerId: number, action?: Action): Promise<LogEntry> {
  const { logs } = await registry.changes.list({ bubblerId, action, limit: 1 })
  const [newest] = logs
  if (newest === undefined) throw new Error(`waypoint ${bubblerId} has no ${action ?? 'log'} entry`)
  return newest
}

export async function refusal(promise: Promise<unknown>): Promise<{ code: unknown; details: unknown }> {
  try {
    await promise
  } catch (error) {
    if (error instanceof Error && 'code' in error && 'details' in error) {
      return { code: error.code, details: error.details }
    }
    throw error
  }
  throw new Error('nothing was refused')
}
