import { RegistryError } from '../errors.ts'
import { versionText } from '../version.ts'

/** The version of the schema before the first migration, of both engines. Since 1.0 it stays, and migrations are added. */
export const epoch = 614

/** The version of a schema, if this program knows it. @throws RegistryError STORAGE_OLDER, also for one of before 1.0, STORAGE_NEWER */
export function knownVersion(found: number, latest: number, name: string, isCurrent = false): number {
  const refuse = (code: 'STORAGE_OLDER' | 'STORAGE_NEWER', text: string): never => {
    throw new RegistryError(code, `${name} ${text}`, { found, known: latest })
  }
  const here = `openfountain ${versionText}`
  if (found <= epoch)
    refuse(
      'STORAGE_OLDER',
      `was written by an edition before 1.0, whose format ${here} does not read. Let that edition serve it, and copy its log into a new database: openfountain mirror http://127.0.0.1:3000 --db NEW, as docs/upgrading.md says`,
    )
  if (found > latest)
    refuse(
      'STORAGE_NEWER',
      `has schema ${found}, ${here} knows up to ${latest}: install the newer version again, or restore the backup that its upgrade made`,
    )
  if (isCurrent && found < latest)
    refuse(
      'STORAGE_OLDER',
      `has schema ${found} of an earlier version, ${here} has ${latest}: openfountain upgrade makes a backup and brings it up to date; a program sets migrate in openRegistry`,
    )
  return found
}
