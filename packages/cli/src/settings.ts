import { existsSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import {
  openRegistry,
  RegistryError,
  type PlaceLookup,
  type PropertiesDeclaration,
  type Registry,
  type RegistryOptions,
} from '@openfountain/core'
import { isOnServer, languages } from '@openfountain/core/internal'
import type { Photos } from '@openfountain/photos'
import type { Context } from './command.ts'
import { usage } from './failure.ts'
import { logKeysOf } from './log-keys.ts'
import { flag, type Given, text, whole } from './options.ts'
import { securityLogOf, securityLogOption } from './security-log.ts'

export const databaseOption = {
  db: text(
    'DATABASE',
    'The registry’s database: a file, or an address such as postgres://user@host/fountains',
    { env: 'OPENFOUNTAIN_DB', default: 'openfountain.db' },
  ),
}

export const registryLicenseOption = {
  'registry-license': text('SPDX', 'The licence of what people contribute here, as an SPDX id', {
    env: 'OPENFOUNTAIN_LICENSE',
    default: 'ODbL-1.0',
  }),
}

export const propertiesOption = {
  properties: text('FILE', 'Custom fields of waypoints, declared as JSON Schema; default none', {
    env: 'OPENFOUNTAIN_PROPERTIES',
  }),
}

export const languageOption = {
  'registry-language': text(
    'TAG',
    'The language in which fountains without a name are called by their kind and place',
    {
      env: 'OPENFOUNTAIN_LANGUAGE',
      default: 'en',
      choices: languages,
    },
  ),
}

export const registryOptions = {
  'registry-name': text('NAME', 'What the registry is called', {
    env: 'OPENFOUNTAIN_NAME',
    default: 'openfountain',
  }),
  ...registryLicenseOption,
  'registry-author': text('NAME', 'Who publishes the registry', {
    env: 'OPENFOUNTAIN_AUTHOR',
    default: 'openfountain contributors',
  }),
  ...languageOption,
  ...propertiesOption,
}

export const clockOption = {
  'accept-clock': flag(
    'Writes although the clock is more than a day behind the last write; what is written then has the time of that',
    { env: 'OPENFOUNTAIN_ACCEPT_CLOCK' },
  ),
}

export const writingOptions = { ...databaseOption, ...clockOption, ...languageOption }

/** The same for commands that cause security events. */
export const powerOptions = { ...databaseOption, ...clockOption, ...securityLogOption }

/** Options of commands that cause security events but write no log entries. */
export const auditedOptions = { ...databaseOption, ...securityLogOption }

/** Boundaries for the places of waypoints, and the language of their labels. */
export const regionsOption = {
  ...languageOption,
  regions: text(
    'FILE',
    'Boundaries as GeoJSON, with name and level, in which the places of new and moved waypoints are found; default the countries of the world',
    { env: 'OPENFOUNTAIN_REGIONS' },
  ),
}

export const durabilityOption = {
  durability: text(
    'MODE',
    'full: a confirmed write survives a power cut; relaxed: it survives a crash of the process, and writes are faster',
    { env: 'OPENFOUNTAIN_DURABILITY', default: 'full', choices: ['full', 'relaxed'] },
  ),
}

export const photosOption = {
  photos: text(
    'PLACE',
    'Where the files of photos are: a folder, or s3://BUCKET/PREFIX?endpoint=https://HOST with keys in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY; default NAME.photos beside the database NAME.db, none beside a database on a server',
    { env: 'OPENFOUNTAIN_PHOTOS' },
  ),
}

export const passersByOption = {
  'passers-by': flag(
    'Lets people who are not signed in say that a fountain works or is broken, without a text, from the pages of this server and of --origin; a few times a day from each network',
    { env: 'OPENFOUNTAIN_PASSERS_BY' },
  ),
}

export const reasonOption = { reason: text('TEXT', 'Why; it is public', { required: true }) }

export const pageOptions = (most: number) => ({
  limit: whole('N', 'How many at most', { min: 1, max: 100, default: most }),
  offset: whole('N', 'How many to skip', { min: 0, max: Number.MAX_SAFE_INTEGER, default: 0 }),
})

export type RegistrySettings = Given<typeof databaseOption> &
  Partial<
    Given<
      typeof registryOptions &
        typeof durabilityOption &
        typeof clockOption &
        typeof regionsOption &
        typeof photosOption &
        typeof securityLogOption
    >
  >

/** The access that a command needs; `look` treats a missing database as empty. */
export type Purpose = 'read' | 'change' | 'create' | 'look'

/** Reading needs a writable folder: SQLite keeps shared memory in a file beside the database. */
function unwritableFolder(error: unknown, file: string): unknown {
  if (!(error instanceof RegistryError) || error.code !== 'STORAGE_READ_ONLY' || !('sqlite' in error.details))
    return error
  const remedy = 'make its folder writable for you, or read a backup'
  return new RegistryError(
    error.code,
    `${file}: reading needs to write ${file}-shm beside it: ${remedy}`,
    error.details,
  )
}

const isAbsent = (database: string): boolean =>
  database !== ':memory:' && !isOnServer(database) && !existsSync(database)

type Report = NonNullable<RegistryOptions['onSecurityEvent']>

/** The custom fields declared in a file, validated by the registry. @throws CommandError usage */
export async function declaredIn(file: string | undefined): Promise<PropertiesDeclaration | undefined> {
  if (file === undefined) return undefined
  const text = await readFile(file, 'utf8')
  try {
    return JSON.parse(text.replace(/^\uFEFF/u, '')) as PropertiesDeclaration
  } catch {
    throw usage(`${file} is not JSON: --properties needs a file with JSON Schema`)
  }
}

const openNamed = async (
  settings: RegistrySettings,
  how: Pick<
    RegistryOptions,
    'database' | 'readOnly' | 'create' | 'onSecurityEvent' | 'places' | 'photos' | 'signer'
  >,
): Promise<Registry> =>
  openRegistry({
    name: settings['registry-name'],
    license: settings['registry-license'],
    author: settings['registry-author'],
    language: settings['registry-language'],
    properties: await declaredIn(settings.properties),
    durability: settings.durability,
    acceptClock: settings['accept-clock'],
    ...how,
  }).catch((error: unknown) => {
    throw how.readOnly === true ? unwritableFolder(error, how.database) : error
  })

/** Whether the error says that a server's database has no registry yet. */
const hasNone = (error: unknown): boolean =>
  error instanceof RegistryError && error.code === 'STORAGE_MISSING' && error.details['registry'] === 'none'

/** The place lookup of the options, imported here so that read-only commands start faster. */
async function placesOf(settings: RegistrySettings): Promise<PlaceLookup | undefined> {
  // Commands without the option do not create or move waypoints.
  if (!('regions' in settings)) return undefined
  const { placesIn } = await import('@openfountain/exchange/places')
  return placesIn({ regions: settings.regions })
}

/** The place for photos of the options; a command without the option takes that of the environment. */
export async function photosOf(
  {
    db,
    photos,
    backups,
  }: Pick<RegistrySettings, 'db' | 'photos'> & { readonly backups?: string | undefined },
  { env }: Pick<Context, 'env'>,
): Promise<Photos | undefined> {
  const { openPhotos, photosBeside } = await import('@openfountain/photos')
  // Of an export it says whether it has files.
  const given = [photos, env['OPENFOUNTAIN_PHOTOS']?.trim()]
  const named = given.find((each) => typeof each === 'string' && each !== '')
  const isFile = db !== ':memory:' && !isOnServer(db)
  const place = named ?? (isFile ? photosBeside(db) : undefined)
  if (place === undefined) return undefined
  return openPhotos(place, { backups: backups ?? (env['OPENFOUNTAIN_BACKUPS']?.trim() || undefined) })
}

async function openFor(
  settings: RegistrySettings,
  purpose: Purpose,
  photos: Photos | undefined,
  onSecurityEvent: Report | undefined,
  { env }: Pick<Context, 'env'>,
): Promise<{ readonly registry: Registry; readonly isNew: boolean }> {
  const { db } = settings
  const readOnly = db !== ':memory:' && (purpose === 'read' || purpose === 'look')
  const places = readOnly ? undefined : await placesOf(settings)
  const open = (create: boolean) =>
    openNamed(settings, {
      database: db,
      readOnly,
      create,
      onSecurityEvent,
      places,
      photos,
      signer: () => logKeysOf(db, env),
    })
  const mayBeNew = purpose === 'look' || purpose === 'create'
  if (!mayBeNew || !isAbsent(db))
    try {
      return { registry: await open(purpose === 'create' && !isOnServer(db)), isNew: false }
    } catch (error) {
      // Only the server knows whether its database has a registry.
      if (!mayBeNew || !hasNone(error)) throw error
    }
  const nothing = () => openNamed(settings, { database: ':memory:', onSecurityEvent })
  return { registry: await (purpose === 'look' ? nothing() : open(true)), isNew: true }
}

/**
 * Opens the registry, runs `work` and closes it. A new registry is removed if the work fails before writing anything.
 *
 * @param work calls `confirm` to print a note about a new registry; it is called automatically at the end, or after a
 * failure that follows a write. Long-running work calls it once nothing can be refused any more.
 * @param report gets security events. Default: the file of the options
 */
export async function withRegistry<Result>(
  settings: RegistrySettings,
  purpose: Purpose,
  context: Context,
  work: (registry: Registry, confirm: () => void) => Promise<Result>,
  report?: Report,
): Promise<Result> {
  const { out } = context
  const photos = await photosOf(settings, context)
  const opened = await openFor(settings, purpose, photos, report ?? (await securityLogOf(settings)), context)
  const { registry } = opened
  const isNew = purpose === 'create' && opened.isNew
  let isConfirmed = !isNew
  const confirm = (): void => {
    if (!isConfirmed) out.note(`Created a new registry in ${registry.database}`)
    isConfirmed = true
  }
  let isUnused = false
  try {
    const result = await work(registry, confirm)
    confirm()
    return result
  } catch (error) {
    isUnused = isNew && !isOnServer(settings.db) && (await registry.revision()) === 0
    if (!isUnused) confirm()
    throw error
  } finally {
    photos?.close()
    await registry.close()
    // The last process to close a database removes its log; if there is one, another process has it open.
    if (isUnused && isAbsent(`${settings.db}-wal`)) await rm(settings.db)
  }
}
