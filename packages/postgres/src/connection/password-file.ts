import { readFileSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import type { Host } from './host.ts'

/** Splits a line of the file, where a backslash takes colons and backslashes literally. */
function fieldsOf(line: string): string[] {
  return (line.match(/(?:\\.|[^:\\])+|(?<=:|^)(?=:|$)/gsu) ?? []).map((field) =>
    field.replaceAll(/\\(.)/gsu, '$1'),
  )
}

/** A password, or the reason for its absence: the text after "The password is not known", if any. */
export type PasswordLookup = { readonly password: string } | { readonly reason: string }

/**
 * The password for a server from the file that PGPASSFILE names, default `~/.pgpass`: lines of
 * `host:port:database:user:password`, where `*` stands for anything. As in every program for PostgreSQL, a file that others
 * can read is not used.
 */
export function passwordFor(
  { host, port, database, user }: Host & { readonly database: string; readonly user: string },
  environment: NodeJS.ProcessEnv,
): PasswordLookup {
  const named = environment['PGPASSFILE']
  const file = named === undefined || named === '' ? path.join(homedir(), '.pgpass') : named
  const sought = [host.startsWith('/') ? 'localhost' : host, String(port), database, user]
  let lines: string[]
  try {
    if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0)
      return { reason: `${file} is not used, since others can read it; run chmod 600 ${file}` }
    lines = readFileSync(file, 'utf8').split(/\r?\n/)
  } catch {
    return { reason: named === undefined || named === '' ? '' : `${file} cannot be read` }
  }
  for (const line of lines) {
    if (line.startsWith('#')) continue
    const fields = fieldsOf(line)
    const [password] = fields.slice(4)
    if (password === undefined) continue
    if (sought.every((each, index) => fields[index] === '*' || fields[index] === each)) return { password }
  }
  return { reason: `${file} has no line for ${sought.join(':')}` }
}
