import { statements as registry } from './0001-registry.ts'

/** The statements of every migration, in the order in which they apply. A new one is a file and a line here. */
export const migrations: readonly (() => readonly string[])[] = [registry]
