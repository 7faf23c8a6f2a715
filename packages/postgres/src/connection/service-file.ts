import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { invalidBecause } from '@openfountain/core/engine'

/** The options of an address and of a service, with the variables that say the same (https://www.postgresql.org/docs/current/libpq-pgservice.html). */
export const variables: Readonly<Record<string, string>> = {
  application_name: 'PGAPPNAME',
  connect_timeout: 'PGCONNECT_TIMEOUT',
  dbname: 'PGDATABASE',
  host: 'PGHOST',
  passfile: 'PGPASSFILE',
  password: 'PGPASSWORD',
  port: 'PGPORT',
  sslcert: 'PGSSLCERT',
  sslkey: 'PGSSLKEY',
  sslmode: 'PGSSLMODE',
  sslrootcert: 'PGSSLROOTCERT',
  target_session_attrs: 'PGTARGETSESSIONATTRS',
  user: 'PGUSER',
}

function filesOf(environment: NodeJS.ProcessEnv): string[] {
  const own = environment['PGSERVICEFILE'] ?? path.join(homedir(), '.pg_service.conf')
  const folder = environment['PGSYSCONFDIR']
  return folder === undefined ? [own] : [own, path.join(folder, 'pg_service.conf')]
}

/** The lines of a service in a file, `name=value` each; undefined where the file does not have it. */
function linesOf(file: string, service: string): string[] | undefined {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
  const lines = text.split(/\r?\n/).map((line) => line.trim())
  const at = lines.indexOf(`[${service}]`)
  if (at === -1) return undefined
  const rest = lines.slice(at + 1)
  const end = rest.findIndex((line) => line.startsWith('['))
  return rest.slice(0, end === -1 ? undefined : end).filter((line) => line !== '' && !line.startsWith('#'))
}

/**
 * The environment with the settings of a service of the file that PGSERVICEFILE names, default `~/.pg_service.conf`, and then
 * of `pg_service.conf` in the folder that PGSYSCONFDIR names. As in every program for PostgreSQL they come before variables.
 *
 * @throws RegistryError INVALID_INPUT when there is no such service, or a setting is not known here
 */
export function withService(service: string, environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const files = filesOf(environment)
  for (const file of files) {
    const lines = linesOf(file, service)
    if (lines === undefined) continue
    const settings = lines.map((line) => {
      const [name = '', value = ''] = line.split(/=(.*)/su).map((part) => part.trim())
      const variable = variables[name]
      if (variable === undefined)
        throw invalidBecause('database', `${name} of service ${service} in ${file} is no setting of one here`)
      return [variable, value] as const
    })
    return { ...environment, ...Object.fromEntries(settings) }
  }
  throw invalidBecause('database', `service ${service} is not found in ${files.join(' and ')}`)
}
