import { invalidBecause } from '../errors.ts'

const scheme = /^postgres(?:ql)?:\/\//

/** Whether a database is on a PostgreSQL server, and not a file of this machine. */
export function isOnServer(database: string): boolean {
  return scheme.test(database)
}

/** The start of a server's address, which would otherwise be read as the name of a file. */
const mistaken = /^[\s"']*(?:postgres(?:ql)?:|[a-z][\w+.-]+:\/\/)/iu

/** Refuses a badly written address of a server. @throws RegistryError INVALID_INPUT, without the name, which may have a password */
export function mustBeDatabase(field: string, database: string): void {
  if (!isOnServer(database)) mustBeFile(field, database, 'must be a file, or begin with postgres://')
}

/** Checks the name of a file. @param reason the expected value, as a predicate @throws RegistryError INVALID_INPUT, without the name */
export function mustBeFile(field: string, name: string, reason: string): void {
  if (mistaken.test(name)) throw invalidBecause(field, reason)
}

export function hasPassword(database: string): boolean {
  if (!mistaken.test(database)) return false
  const address = database.replace(/^[\s"']*[a-z+]+:\/*/iu, 'postgres://')
  const { credentials = '', rest, query } = parts.exec(address)?.groups ?? {}
  if (rest === undefined) return address.includes('@')
  return /:./su.test(credentials) || new URLSearchParams(query).has('password')
}

const parts = /^[a-z]+:\/\/(?:(?<credentials>[^/?#]*)@)?(?<rest>[^@?#]*)(?:\?(?<query>[^@#]*))?$/su

/** The name of a database for messages and logs: an address without its password, also when it is malformed. */
export function shownDatabase(database: string): string {
  if (!isOnServer(database)) return database
  const { credentials = '', rest, query } = parts.exec(database)?.groups ?? {}
  // Something with an unescaped @ or / in the password: nobody can tell where that ends.
  if (rest === undefined) return 'postgres://…'
  const [user = ''] = credentials.split(':')
  const options = new URLSearchParams(query)
  options.delete('password')
  return `postgres://${user === '' ? '' : `${user}@`}${rest}${options.size === 0 ? '' : `?${options.toString()}`}`
}
