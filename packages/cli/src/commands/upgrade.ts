import { isOnServer, upgradeRegistry } from '@openfountain/core/internal'
import { versionText } from '@openfountain/core/version'
import { command } from '../command.ts'
import { rethrown, usage } from '../failure.ts'
import { inert } from '../inert.ts'
import { flag, text } from '../options.ts'
import { databaseOption } from '../settings.ts'
import { counted } from '../wording/entries.ts'
import { unverified } from './backup.ts'

const labels = { backup: 'Copying', migrations: 'Migrating', verification: 'Verifying' } as const

const upgrade = command('upgrade', {
  summary: 'Brings the database of an earlier version to this one, after a backup, and verifies it.',
  more: 'Every other command refuses such a database. Stop the servers first. Of a file it makes a backup, which the earlier version opens; of a database on a server you make it, by pg_dump, and say so. Each migration is a transaction of its own: run it again after an interruption. A database that is up to date stays as it is.',
  options: {
    ...databaseOption,
    backup: text(
      'FILE',
      'The backup of a file; default beside it, with the version of its schema and the time',
    ),
    'backup-made': flag('Says that there is a backup of a database on a server'),
    'dry-run': flag('Tells what would happen: of a file by trying it on a copy, also while a server runs'),
  },
  examples: {
    'upgrade --dry-run': 'Tells what would happen',
    upgrade: 'Upgrades openfountain.db',
    'upgrade --db postgres://fountains@db.example/fountains --backup-made':
      'Upgrades a database on a server, of which pg_dump made a backup',
  },
  async run({ db, backup, 'backup-made': isBackedUp, 'dry-run': dryRun }, { out }) {
    if (isOnServer(db) && backup !== undefined)
      throw usage('--backup is for a file: of a database on a server, pg_dump makes the backup')
    const isRefused = isOnServer(db) && !isBackedUp && !dryRun
    const result = await out
      .during(labels.backup, (bar) =>
        upgradeRegistry({
          database: db,
          backup,
          dryRun: dryRun || isRefused,
          onProgress: (step, done, total) => bar.at(done, total, labels[step]),
        }),
      )
      .catch(rethrown(unverified))
    const { from, to, verification, backup: made } = result
    if (isRefused && from !== to)
      throw usage(
        'make a backup first, such as pg_dump --format=custom --file=before.dump fountains, and give --backup-made',
      )
    out.result({ ...result, dryRun }, () =>
      from === to
        ? [`Up to date: schema ${to}, which openfountain ${versionText} has`]
        : [
            `${dryRun ? 'Would be' : 'Is'} upgraded from schema ${from} to ${to}, which openfountain ${versionText} has`,
            verification !== undefined &&
              `The log ${verification.ok ? 'verifies' : 'does NOT verify'}: ${counted(verification.entries)}`,
            made !== undefined && `As it was before: ${inert(made)}; keep it until you are content`,
          ],
    )
    return verification?.ok === false ? 'unverified' : 'done'
  },
})

export const commands = [upgrade]
