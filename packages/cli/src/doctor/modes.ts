import type { Stats } from 'node:fs'
import { access, constants, lstat, readdir, stat } from 'node:fs/promises'
import { userInfo } from 'node:os'
import path from 'node:path'
import { isOnServer } from '@openfountain/core/internal'
import { isBucket } from '@openfountain/photos'
import { settingsFile } from '../settings-file.ts'
import { ok, warning, wrong, type Finding } from './finding.ts'
import type { Settings } from './settings.ts'

const secretNames = /_(?:CLIENT_SECRET|PASSWORD)$/u

function hasSecret([name, value = '']: readonly [string, string | undefined]): boolean {
  if (value === '') return false
  return (
    secretNames.test(name) || (name === 'OPENFOUNTAIN_SMTP_URL' && (URL.parse(value)?.password ?? '') !== '')
  )
}

const statOf = async (file: string): Promise<Stats | undefined> => stat(file).catch(() => undefined)

/** Checks that others on the machine cannot do something with a file. @param change the remedy for chmod */
const keptFrom =
  (bits: number, done: string, change: string) =>
  async (file: string): Promise<Finding[]> => {
    const found = await statOf(file)
    if (found === undefined || (found.mode & bits) === 0) return []
    return [wrong('modes', `${file} can be ${done} by others on this machine: chmod ${change} ${file}`)]
  }

const closedFile = keptFrom(0o077, 'read or changed', '600')
const closedFolder = keptFrom(0o077, 'read or changed', '700')
const unchangeable = keptFrom(0o022, 'changed', 'go-w')

/** The user of the services: the owner of the folder of the database, or of its settings. */
interface Owner {
  readonly uid: number
  readonly gid: number
  readonly folder: string
}

async function ownerOf({ db, file }: Settings): Promise<Owner> {
  const folder = path.dirname(isOnServer(db) ? (file ?? path.resolve(settingsFile)) : db)
  const { uid, gid } = (await statOf(folder)) ?? userInfo()
  return { uid, gid, folder }
}

const uses = {
  read: { bits: constants.R_OK, done: 'read', mode: 'u+r' },
  write: { bits: constants.R_OK | constants.W_OK, done: 'written', mode: 'u+rw' },
  fill: { bits: constants.W_OK | constants.X_OK, done: 'written', mode: 'u+wx' },
} as const

/** Whether the mode bits allow a use; services have no other capabilities, not even root's. */
function mayByMode({ uid, gid, mode }: Stats, owner: Owner, bits: number): boolean {
  const shift = uid === owner.uid ? 6 : gid === owner.gid ? 3 : 0
  return ((mode >> shift) & bits) === bits
}

async function usable(
  file: string,
  use: keyof typeof uses,
  owner: Owner,
  others: typeof wrong = wrong,
): Promise<Finding[]> {
  const { bits, done, mode } = uses[use]
  const found = await statOf(file)
  if (found === undefined) return []
  const obstacle = await access(file, bits).then(
    () => undefined,
    ({ code }: NodeJS.ErrnoException) => code,
  )
  if (obstacle === 'EROFS') return [wrong('modes', `${file} is on a file system that is mounted read-only`)]
  const isCaller = owner.uid !== 0 && owner.uid === process.getuid?.()
  if (isCaller ? obstacle === undefined : mayByMode(found, owner, bits)) return []
  if (found.uid === owner.uid)
    return [wrong('modes', `${file} cannot be ${done} by its owner: chmod ${mode} ${file}`)]
  const services = `the services, which run as the owner of ${owner.folder}`
  return [
    others('modes', `${file} cannot be ${done} by ${services}: chown --reference ${owner.folder} ${file}`),
  ]
}

/** Published sites and their caches that another user owns: the services cannot remove them. */
async function publishedByOthers(site: string, { uid, folder }: Owner): Promise<Finding[]> {
  const [place, name] = [path.dirname(site), path.basename(site)]
  const names = (await readdir(place).catch(() => [])).filter(
    (each) => each === name || each.startsWith(`.${name}-`),
  )
  const found = await Promise.all(
    names.map(async (each) => {
      const file = path.join(place, each)
      const stats = await lstat(file).catch(() => undefined)
      const other = `${file} was published by another user than the owner of ${folder}, and the services cannot remove it: chown -R --reference ${folder} ${file}`
      return stats === undefined || stats.isSymbolicLink() || stats.uid === uid
        ? []
        : [warning('modes', other)]
    }),
  )
  return found.flat()
}

const databaseFiles = (database: string): string[] =>
  ['', '-wal', '-shm', '.erased'].map((end) => database + end)

/** Whether others on the machine are kept from database, secrets and settings, and the services can use their files. */
export async function modeFindings(settings: Settings): Promise<Finding[]> {
  if (process.platform === 'win32') return [warning('modes', 'Modes of files are not looked at on Windows')]
  const { db, file, variables, secrets, providers, passwords } = settings
  const { properties, backups, site, securityLog, photos } = settings
  const owner = await ownerOf(settings)
  const isPublished = variables['OPENFOUNTAIN_PUBLISH'] !== undefined
  const filled = [backups, isPublished && site !== undefined ? path.dirname(site) : undefined]
  const databases = isOnServer(db) ? [] : databaseFiles(db)
  const isSecret = Object.entries(variables).some(hasSecret)
  const isLocal = !isOnServer(db)
  const kept = photos === undefined || isBucket(photos) ? undefined : photos
  const checks: readonly (readonly [
    files: readonly (string | undefined)[],
    check: (file: string) => Promise<Finding[]>,
  ])[] = [
    [[...databases, secrets, providers, passwords, isSecret ? file : undefined], closedFile],
    [[kept], closedFolder],
    [[kept], (each) => usable(each, 'fill', owner)],
    [[...databases, securityLog], (each) => usable(each, 'write', owner)],
    [[isPublished ? site : undefined], (each) => publishedByOthers(each, owner)],
    [[isLocal ? owner.folder : undefined], (each) => usable(each, 'fill', owner)],
    [filled.filter((each) => each !== owner.folder), (each) => usable(each, 'fill', owner, warning)],
    [[providers, passwords, properties], (each) => usable(each, 'read', owner)],
    [[file, isLocal ? path.dirname(db) : undefined], unchangeable],
  ]
  const found = await Promise.all(
    checks.flatMap(([files, check]) => files.filter((each) => each !== undefined).map(check)),
  )
  const all = found.flat()
  return all.length > 0 ? all : [ok('modes', 'Database, secrets and settings belong to their owner alone')]
}
