import type { Migration } from 'kysely/migration'
import * as registry from './0001-registry.ts'

/** Every migration by name, in the order in which they apply. A new one is a file and a line here. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-registry': registry,
}
