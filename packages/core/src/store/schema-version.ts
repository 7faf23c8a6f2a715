import { RegistryError } from '../errors.ts'
import { versionText } from '../version.ts'

/** The version of the schema before the first migration, of both engines. Since 1.0 it stays, and migrations are added. */
export const epoch = 614

/**
 * The version of a schema, if this program knows it.
 *
 * @param latest of this program
 * @param name of the database in messages
 * @throws RegistryError STORAGE_OLDER for a database of before 1.0, STORAGE_NEWER
 */
export function knownVersion(found: number, latest: number, name: string): number {
  const facts = { found, known: latest }
  if (found <= epoch)
    throw new RegistryError(
      'STORAGE_OLDER',
      `${name} was written by an edition before 1.0, whose format openfountain ${versionText} does not read. Let that edition serve it, and copy its log into a new database: openfountain mirror http://127.0.0.1:3000 --db NEW, as docs/upgrading.md says`,
      facts,
    )
  if (found > latest)
    throw new RegistryError(
      'STORAGE_NEWER',
      `${name} has schema ${found}, openfountain ${versionText} knows up to ${latest}: install the newer version again, or restore the backup that its upgrade made`,
      facts,
    )
  return found
}

/** The refusal of a database that was not upgraded yet. */
export const notUpgraded = (found: number, latest: number, name: string): RegistryError =>
  new RegistryError(
    'STORAGE_OLDER',
    `${name} has schema ${found} of an earlier version, openfountain ${versionText} has ${latest}: openfountain upgrade makes a backup and brings it up to date; a program sets migrate in openRegistry`,
    { found, known: latest },
  )
