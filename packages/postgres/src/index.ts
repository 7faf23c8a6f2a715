export { isPostgresUrl, withoutPassword } from './connection/settings.ts'
export { openPostgres, PostgresStore, type StoreOptions } from './store.ts'
