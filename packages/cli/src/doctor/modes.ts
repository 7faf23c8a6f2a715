import type { Stats } from 'node:fs'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { isOnServer } from '@openfountain/core/internal'
import { ok, warning, wrong, type Finding } from './finding.ts'
import type { Settings } from './settings.ts'

/** What others on a machine may do with a file. */
const groupOrOthers = 0o077
const changedByOthers = 0o022

/** Variables whose values let somebody in. */
const secretNames = /_(?:CLIENT_SECRET|PASSWORD)$/u

function hasSecret([name, value = '']: readonly [string, string | undefined]): boolean {
  if (value === '') return false
  return (
    secretNames.test(name) || (name === 'OPENFOUNTAIN_SMTP_URL' && (URL.parse(value)?.password ?? '') !== '')
  )
}

const statOf = async (file: string): Promise<Stats | undefined> => stat(file).catch(() => undefined)

/** A file that belongs to its owner alone. */
async function closedFile(file: string): Promise<Finding[]> {
  const found = await statOf(file)
  return found === undefined || (found.mode & groupOrOthers) === 0
    ? []
    : [wrong('modes', `${file} can be read or changed by others on this machine: chmod 600 ${file}`)]
}

/** Something that others may read, but not change. */
async function unchangeable(file: string): Promise<Finding[]> {
  const found = await statOf(file)
  return found === undefined || (found.mode & changedByOthers) === 0
    ? []
    : [wrong('modes', `${file} can be changed by others on this machine: chmod go-w ${file}`)]
}

/** A file with the same owner as the folder that it is in: a command that root ran leaves what the service cannot write. */
async function ownedAsFolder(file: string): Promise<Finding[]> {
  const [own, folder] = await Promise.all([statOf(file), statOf(path.dirname(file))])
  return own === undefined || folder === undefined || own.uid === folder.uid
    ? []
    : [
        wrong(
          'modes',
          `${file} belongs to another user than its folder, and services may not be able to write it: chown --reference ${path.dirname(file)} ${file}`,
        ),
      ]
}

const databaseFiles = (database: string): string[] =>
  ['', '-wal', '-shm', '.erased'].map((end) => database + end)

/** Whether database, secrets and settings are kept from others on this machine. */
export async function modeFindings(settings: Settings): Promise<Finding[]> {
  if (process.platform === 'win32') return [warning('modes', 'Modes of files are not looked at on Windows')]
  const { db, file, variables, secrets, providers, passwords } = settings
  const databases = isOnServer(db) ? [] : databaseFiles(db)
  const isSecret = Object.entries(variables).some(hasSecret)
  const closed = [...databases, secrets, providers, passwords, ...(isSecret ? [file] : [])]
  const found = await Promise.all([
    ...closed.map((each) => (each === undefined ? [] : closedFile(each))),
    ...databases.map(ownedAsFolder),
    ...(file === undefined ? [] : [unchangeable(file)]),
    ...(isOnServer(db) ? [] : [unchangeable(path.dirname(db))]),
  ])
  const all = found.flat()
  return all.length > 0 ? all : [ok('modes', 'Database, secrets and settings belong to their owner alone')]
}
