/** Names of databases: a file, `:memory:`, or the address of a database on a server. */

const scheme = /^postgres(?:ql)?:\/\//

/** Whether a database is on a PostgreSQL server, and not a file of this machine. */
export function isOnServer(database: string): boolean {
  return scheme.test(database)
}

const parts = /^[a-z]+:\/\/(?:(?<credentials>[^/?#]*)@)?(?<rest>[^@?#]*)(?:\?(?<query>[^@#]*))?$/su

/**
 * The name of a database as it may be shown, logged and kept: the address of one on a server without the password, whatever
 * else is wrong with it. A file's stays as it is.
 */
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
