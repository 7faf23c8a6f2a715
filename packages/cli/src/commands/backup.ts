import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { openRegistry, restoreDatabase, RegistryError } from '@openfountain/core'
import { command } from '../command.ts'
import { CommandError } from '../failure.ts'
import { inert } from '../inert.ts'
import { databaseOption, withRegistry } from '../settings.ts'
import { notCoveredLine } from './log.ts'

/** Gives a copy that does not verify another exit code than a database that cannot be read. */
function unverified(error: unknown): unknown {
  if (error instanceof RegistryError && 'problems' in error.details)
    return new CommandError('unverified', error.message, error.code, error.details)
  return error
}

export const backup = command({
  name: 'backup',
  summary: 'Writes a consistent copy of the registry, also while a server runs, and verifies the copy.',
  more: 'The file appears only when the copy is complete, opens, and its log verifies. It contains everything, also e-mail addresses and the hashes of secrets.',
  positionals: [{ name: 'FILE', about: 'The copy; it must not exist yet' }],
  options: databaseOption,
  examples: [
    { line: 'openfountain backup "openfountain-$(date +%F).db"', does: 'Keeps a copy of today' },
    {
      line: 'openfountain backup copy.db --json',
      does: 'Prints the file, its size and the head of its log',
    },
  ],
  async run({ db }, [file = ''], context) {
    const { out } = context
    if (existsSync(file))
      throw new CommandError(
        'usage',
        `${file} exists already; choose another name or remove it`,
        'INVALID_INPUT',
      )
    await withRegistry({ db }, 'read', context, async (registry) => {
      const bar = out.progress('Copying')
      await registry
        .backup(file, (done, total) => bar.at(done, total))
        .catch((error: unknown) => {
          throw unverified(error)
        })
        .finally(() => bar.end())
    })
    const copy = await openRegistry({ database: file, readOnly: true })
    const head = await copy.changes.head()
    await copy.close()
    const { size: bytes } = await stat(file)
    out.result({ file, bytes, head }, () => [
      `${inert(file)}: ${bytes.toLocaleString('en')} bytes, verified up to entry ${head.id}`,
    ])
  },
})

export const restore = command({
  name: 'restore',
  summary: 'Replaces the registry with a backup, after verifying it.',
  more: 'Nothing changes unless the backup verifies. An existing registry is replaced only with --force, in one step, and never while another process has it open.',
  positionals: [{ name: 'FILE', about: 'The backup; it is only read' }],
  options: { ...databaseOption, force: { type: 'flag', about: 'Replaces the existing registry' } },
  examples: [
    { line: 'openfountain restore copy.db --db restored.db', does: 'Restores to another file' },
    { line: 'openfountain restore copy.db --force', does: 'Replaces the existing registry' },
  ],
  async run({ db, force }, [file = ''], { out }) {
    if (existsSync(db) && !force)
      throw new CommandError(
        'usage',
        `${db} exists already; give --force to replace it, or another name with --db`,
        'INVALID_INPUT',
      )
    const bar = out.progress('Verifying')
    const verification = await restoreDatabase({
      database: db,
      from: file,
      replace: force,
      onProgress: (done, total) => bar.at(done, total),
    })
      .catch((error: unknown) => {
        throw unverified(error)
      })
      .finally(() => bar.end())
    const { head, entries, waypoints, notCovered } = verification
    out.result({ database: db, head, entries, waypoints }, () => [
      `${inert(db)} is restored: ${waypoints.toLocaleString('en')} waypoints, verified up to entry ${head.id}`,
      notCoveredLine(notCovered),
    ])
  },
})
