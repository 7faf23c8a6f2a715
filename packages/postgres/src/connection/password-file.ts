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

/**
 * The password for a server from the file that PGPASSFILE names, default `~/.pgpass`: lines of
 * `host:port:database:user:password`, where `*` stands for anything. As in every program for PostgreSQL, a file that others
 * can read is not used.
 */
export function passwordFor(
  { host, port, database, user }: Host & { readonly database: string; readonly user: string },
  environment: NodeJS.ProcessEnv,
): string | undefined {
  const file = environment['PGPASSFILE'] ?? path.join(homedir(), '.pgpass')
  let lines: string[]
  try {
    if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0) return undefined
    lines = readFileSync(file, 'utf8').split(/\r?\n/)
  } catch {
    return undefined
  }
  const sought = [host.startsWith('/') ? 'localhost' : host, String(port), database, user]
  for (const line of lines) {
    if (line.startsWith('#')) continue
    const fields = fieldsOf(line)
    if (fields.length < 5) continue
    if (sought.every((each, index) => fields[index] === '*' || fields[index] === each)) return fields[4]
  }
  return undefined
}
