import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { openRegistry, restoreDatabase, type RestoreOptions, type RestoreResult } from '@openfountain/core'
import { isOnServer, shownDatabase } from '@openfountain/core/internal'
import { command, type Context } from '../command.ts'
import { CommandError, usage } from '../failure.ts'
import { inert } from '../inert.ts'
import { securityLogOf } from '../security-log.ts'
import { auditedOptions } from '../settings.ts'
import { mirrorFailure } from '../wording/mirror.ts'
import { unverified } from './backup.ts'
import { notCoveredLine } from './log.ts'
import { checkAddress } from './mirror.ts'

async function restored(options: RestoreOptions, { out }: Context): Promise<RestoreResult> {
  const bar = out.progress('Verifying')
  return restoreDatabase({ ...options, onProgress: (done, total) => bar.at(done, total) })
    .catch((error: unknown) => {
      throw unverified(error)
    })
    .finally(() => bar.end())
}

/** Follows the entries that another instance has after those of a database. @returns how many there were */
async function followed(database: string, url: string, { out }: Context): Promise<number> {
  const { followTail } = await import('@openfountain/exchange')
  // The entries have their own times.
  const registry = await openRegistry({ database, create: false, acceptClock: true })
  const bar = out.progress('Following')
  try {
    const { entries } = await followTail(url, registry, {
      onProgress: ({ done, total }) => bar.at(done, total),
    })
    return entries
  } catch (error) {
    throw await mirrorFailure(error)
  } finally {
    bar.end()
    await registry.close()
  }
}

async function removeDatabase(file: string): Promise<void> {
  const files = ['', '-wal', '-shm', '-journal', '.erased'].map((suffix) => `${file}${suffix}`)
  await Promise.all(files.map((each) => rm(each, { force: true })))
}

/**
 * Restores a backup with the newer entries that another instance has. Both come together in a file of their own, so that
 * the registry stays as it is until everything is verified, and what is erased again does not stand between the backup
 * and its newer entries.
 */
async function restoredWithTail(
  { database, from, replace }: RestoreOptions,
  url: string,
  context: Context,
): Promise<RestoreResult & { readonly followed: number }> {
  const beside = `${database}.tail`
  await removeDatabase(beside)
  try {
    await restored({ database: beside, from }, context)
    const entries = await followed(beside, url, context)
    return { ...(await restored({ database, from: beside, replace }, context)), followed: entries }
  } finally {
    await removeDatabase(beside)
  }
}

/** @throws CommandError usage */
function mustBeFiles(db: string, file: string): void {
  if (isOnServer(file))
    throw usage(`FILE must be a file; openfountain copy FROM TO copies a registry from a server`)
  if (isOnServer(db))
    throw usage(
      `--db must be a file: restore ${inert(file)} to a file, such as --db restored.db, and copy that into a database without a registry: openfountain copy restored.db ${inert(shownDatabase(db))}; openfountain log erase-again then erases again what was erased since`,
    )
}

const counted = (count: number): string =>
  `${count.toLocaleString('en')} ${count === 1 ? 'entry' : 'entries'}`

export const restore = command({
  name: 'restore',
  summary: 'Replaces the registry with a backup, after verifying it.',
  more: 'Nothing changes unless the backup verifies. An existing registry is replaced only with --force, in one step, and never while another process has it open. Text that was erased since the backup was made is erased again, that of reports too, and people who left since leave again. With --tail the entries that the backup does not have yet come from a mirror; names and e-mail addresses that were changed since, sessions and tokens do not. Unless everything that was there is there again, the log gets a new origin, by which readers and mirrors notice that it is another line of history.',
  positionals: [{ name: 'FILE', about: 'The backup; it is only read' }],
  options: {
    ...auditedOptions,
    db: { ...auditedOptions.db, value: 'FILE', about: 'The registry’s database, a file' },
    force: { type: 'flag', about: 'Replaces the existing registry' },
    tail: {
      type: 'text',
      value: 'URL',
      about: 'A mirror of the registry, from which entries after those of the backup are followed',
    },
  },
  examples: [
    { line: 'openfountain restore copy.db --db restored.db', does: 'Restores to another file' },
    { line: 'openfountain restore copy.db --force', does: 'Replaces the existing registry' },
    {
      line: 'openfountain restore copy.db --force --tail https://mirror.example',
      does: 'Also brings back what a mirror followed since the backup was made',
    },
  ],
  async run({ db, force, tail, ...logging }, [file = ''], context) {
    mustBeFiles(db, file)
    if (existsSync(db) && !force)
      throw new CommandError(
        'usage',
        `${db} exists already; give --force to replace it, or another name with --db`,
        'INVALID_INPUT',
      )
    if (tail !== undefined) checkAddress('--tail', tail)
    const report = await securityLogOf(logging)
    const options = { database: db, from: file, replace: force }
    const result =
      tail === undefined
        ? { ...(await restored(options, context)), followed: undefined }
        : await restoredWithTail(options, tail, context)
    const {
      head,
      entries,
      waypoints,
      originRenewed,
      lost,
      erased,
      erasedReports,
      left,
      followed: newer,
      notCovered,
    } = result
    report?.({ time: new Date().toISOString(), event: 'registry.restored', head: head.id })
    const facts = {
      originRenewed,
      ...(lost !== undefined && { lost }),
      erased,
      erasedReports,
      left,
      ...(newer !== undefined && { followed: newer }),
    }
    context.out.result({ database: db, head, entries, waypoints, ...facts, notCovered }, () => [
      `${inert(db)} is restored: ${waypoints.toLocaleString('en')} waypoints, verified up to entry ${head.id}`,
      ...(newer === undefined ? [] : [`Followed from ${inert(tail ?? '')}: ${counted(newer)}`]),
      ...(erased === 0
        ? []
        : [`Erased again, because it was erased since the backup was made: text of ${counted(erased)}`]),
      ...(erasedReports === 0
        ? []
        : [
            `Erased again, because it was erased since the backup was made: text of reports, ${erasedReports.toLocaleString('en')}`,
          ]),
      ...(left === 0
        ? []
        : [`Left again, because they left since the backup was made: people, ${left.toLocaleString('en')}`]),
      ...(lost === undefined || lost === 0
        ? []
        : [`Lost, because the backup does not have them: ${counted(lost)} of the registry that was here`]),
      ...(originRenewed
        ? [
            'The log has a new origin, by which readers and mirrors notice that something may be missing of what was there',
          ]
        : []),
      notCoveredLine(notCovered),
    ])
  },
})
