import { openRegistry, type RegistryOptions, type SecurityEvent } from '@openfountain/core'
import { createAccounts, type AccountsFailure, type AccountsOptions } from '@openfountain/accounts'
import { afterwards } from '../afterwards.ts'
import { ownDatabase } from '../database.ts'
import { photosInMemory } from '../photos.ts'

export class Clock {
  #now = Date.parse('2026-01-01T00:00:00.000Z')
  readonly read = (): Date => new Date(this.#now)

  advance({ minutes }: { readonly minutes: number }): void {
    this.#now += minutes * 60_000
  }
}

export type Stage = Awaited<ReturnType<typeof stage>>

export async function stage(
  options: Partial<AccountsOptions> = {},
  { database, ...more }: Partial<RegistryOptions> = {},
) {
  const clock = new Clock()
  const events: SecurityEvent[] = []
  const failures: AccountsFailure[] = []
  let users = 0
  const registry = await openRegistry({
    database: database ?? (await ownDatabase()),
    clock: clock.read,
    photos: photosInMemory(),
    ids: () => `u${++users}`,
    onSecurityEvent: (event) => events.push(event),
    ...more,
  })
  afterwards(() => registry.close())
  const ways = createAccounts(registry, {
    publicUrl: 'http://localhost:3000',
    name: 'Fountains of Lund',
    clock: clock.read,
    onFailure: (failure) => failures.push(failure),
    ...options,
  })
  afterwards(() => ways.close())
  return { registry, ways, clock, events, failures }
}

export function codesOf({ ways }: Pick<Stage, 'ways'>) {
  if (ways.codes === undefined) throw new Error('No mail server is configured')
  return ways.codes
}
