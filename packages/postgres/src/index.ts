export { openPostgres, PostgresStore, type StoreOptions } from './store.ts'
export { openPostgresSource } from './copying/source.ts'
export { openPostgresTarget } from './copying/target.ts'
