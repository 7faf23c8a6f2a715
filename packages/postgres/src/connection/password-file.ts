import { readFileSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { RegistryError } from '@openfountain/core/engine'

/** Splits a line of the file, where a backslash takes colons and backslashes literally. */
function fieldsOf(line: string): string[] {
  return (line.match(/(?:\\.|[^:\\])+|(?<=:|^)(?=:|$)/gsu) ?? []).map((field) =>
    field.replaceAll(/\\(.)/gsu, '$1'),
  )
}

/** The error for a password that is not known, with the reason. */
const unknown = (user: string, reason = ''): RegistryError =>
  new RegistryError(
    'STORAGE_UNAVAILABLE',
    `The database server asks for the password of user ${JSON.stringify(user)}: give it as PGPASSWORD, or in the file that PGPASSFILE names${reason}`,
  )

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

/**
 * The password for a server from the file that PGPASSFILE names, default `~/.pgpass`: lines of
 * `host:port:database:user:password`, where `*` stands for anything. As in every program for PostgreSQL, a file that others
 * can read is not used.
 *
 * @throws RegistryError STORAGE_UNAVAILABLE, which says why there is none
 */
export function passwordFor(
  {
    host,
    port,
    database,
    user,
  }: Readonly<Record<'host' | 'database' | 'user', string>> & { readonly port: number },
  { PGPASSFILE: named = '' }: NodeJS.ProcessEnv,
): string {
  const file = named === '' ? path.join(homedir(), '.pgpass') : named
  const text = textOf(file)
  if (text === undefined) throw unknown(user, named === '' ? '' : `; ${file} cannot be read`)
  if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0)
    throw unknown(user, `; ${file} is not used, since others can read it; run chmod 600 ${file}`)
  const sought = [host.startsWith('/') ? 'localhost' : host, String(port), database, user]
  for (const line of text.split(/\r?\n/)) {
    const fields = line.startsWith('#') ? [] : fieldsOf(line)
    const [password] = fields.slice(4)
    if (password !== undefined && sought.every((each, at) => ['*', each].includes(fields[at] ?? '')))
      return password
  }
  throw unknown(user, `; ${file} has no line for ${sought.join(':')}`)
}
