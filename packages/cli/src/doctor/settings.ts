import { existsSync } from 'node:fs'
import path from 'node:path'
import { openRegistry } from '@openfountain/core'
import { isOnServer } from '@openfountain/core/internal'
import { isBucket, photosBeside } from '@openfountain/photos'
import type { Command } from '../command.ts'
import { serveOptions } from '../commands/serve.ts'
import { describeFailure } from '../failure-report.ts'
import { type Given, type Options, readArguments } from '../options.ts'
import { siteAddressOf } from '../public-url.ts'
import { declaredIn } from '../settings.ts'
import { pathIn, readSettings, settingsFile } from '../settings-file.ts'
import { ok, warning, wrong, type Finding } from './finding.ts'

interface SettingsSource {
  readonly folder: string | undefined
  readonly db: string | undefined
  readonly secrets: string
}

const otherVariables = /^OPENFOUNTAIN_(?:PROVIDER_.*|SECRET_.*|DEBUG|KEY|LOG_KEY|STARTED|WITNESS)$/u

function unknownVariables(variables: NodeJS.ProcessEnv, commands: readonly Command[]): Finding[] {
  const known = new Set(commands.flatMap(({ options }) => Object.values(options).map(({ env }) => env)))
  return Object.keys(variables)
    .filter((name) => name.startsWith('OPENFOUNTAIN_') && !known.has(name) && !otherVariables.test(name))
    .map((name) =>
      warning('settings', `${name} is no setting of any command; openfountain serve --help lists them`),
    )
}

async function variablesOf(
  { folder }: SettingsSource,
  env: NodeJS.ProcessEnv,
): Promise<{ readonly variables: NodeJS.ProcessEnv; readonly findings: readonly Finding[] }> {
  if (folder === undefined) return { variables: env, findings: [] }
  try {
    return { variables: await readSettings(folder), findings: [] }
  } catch (error) {
    const { message } = describeFailure(error)
    const remedy = 'openfountain init makes a folder with settings'
    return { variables: {}, findings: [wrong('settings', `${message}; ${remedy}`)] }
  }
}

type Values = Given<typeof serveOptions>

/** The values of serve's options; invalid ones are reported, and replaced by their defaults. */
function valuesOf(variables: NodeJS.ProcessEnv): { readonly values: Values; readonly refused: Finding[] } {
  const refused: Finding[] = []
  const values = Object.entries<Options[string]>(serveOptions).map(([name, option]) => {
    const read = (env: NodeJS.ProcessEnv) => readArguments([], { [name]: option }, [], env).values[name]
    try {
      return [name, read(variables)]
    } catch (error) {
      refused.push(wrong('settings', describeFailure(error).message))
      return [name, read({})]
    }
  })
  // The values were read by the declarations that their types come from.
  return { values: Object.fromEntries(values) as unknown as Values, refused }
}

function addressFindings(publicUrl: string | undefined): Finding[] {
  if (publicUrl === undefined) return []
  try {
    siteAddressOf(publicUrl)
    return []
  } catch {
    return [wrong('settings', 'OPENFOUNTAIN_PUBLIC_URL must be scheme, host and port alone: https://host')]
  }
}

/** Whether a registry opens with the custom fields that a file declares. */
async function declarationFindings(file: string | undefined): Promise<Finding[]> {
  if (file === undefined) return []
  try {
    const registry = await openRegistry({ database: ':memory:', properties: await declaredIn(file) })
    await registry.close()
    return []
  } catch (error) {
    return [wrong('settings', `OPENFOUNTAIN_PROPERTIES, ${file}: ${describeFailure(error).message}`)]
  }
}

const photosIn = (folder: string, place: string | undefined): string | undefined =>
  place === undefined || isBucket(place) ? place : pathIn(folder, place)

function settingsIn(source: SettingsSource, variables: NodeJS.ProcessEnv, given: Values) {
  const folder = path.resolve(source.folder ?? '.')
  const file = path.join(folder, settingsFile)
  const inFolder = (name: string | undefined): string | undefined =>
    name === undefined ? undefined : pathIn(folder, name)
  const db = source.db === undefined ? pathIn(folder, given.db) : pathIn('.', source.db)
  return {
    db,
    /** The file of the settings; none when they are the environment's alone. */
    file: source.folder !== undefined && existsSync(file) ? file : undefined,
    variables,
    secrets: source.secrets,
    providers: inFolder(given.providers),
    passwords: inFolder(variables['PGPASSFILE']),
    /** The folder or bucket of photos; a database on a server has none beside it. */
    photos: photosIn(folder, given.photos) ?? (isOnServer(db) ? undefined : photosBeside(db)),
    backups: inFolder(given.backups),
    exports: inFolder(given.exports),
    site: inFolder(given.site),
    securityLog: inFolder(given['security-log']),
    properties: inFolder(given.properties),
    publicUrl: given['public-url'],
    trustsProxy: given['trust-proxy'].length > 0,
    metrics: given.metrics,
    hsts: given.hsts,
  } as const
}

export type Settings = ReturnType<typeof settingsIn>

export async function settingsOf(
  source: SettingsSource,
  env: NodeJS.ProcessEnv,
  commands: readonly Command[],
): Promise<{ readonly settings: Settings; readonly findings: readonly Finding[] }> {
  const { variables, findings } = await variablesOf(source, env)
  const { values, refused } = valuesOf(variables)
  const settings = settingsIn(source, variables, values)
  const all = [
    ...findings,
    ...refused,
    ...addressFindings(settings.publicUrl),
    ...(await declarationFindings(settings.properties)),
    ...unknownVariables(variables, commands),
  ]
  const where = settings.file ?? 'the environment'
  return { settings, findings: all.length > 0 ? all : [ok('settings', `Read from ${where}`)] }
}
