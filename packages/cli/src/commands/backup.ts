import { existsSync } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { openRegistry, type Registry, RegistryError, copyRegistry } from '@openfountain/core'
import { photosBeside } from '@openfountain/photos'
import { notCovered, isOnServer, upgradeRegistry } from '@openfountain/core/internal'
import { command } from '../command.ts'
import { CommandError, rethrown, usage } from '../failure.ts'
import { inert } from '../inert.ts'
import { text, flag } from '../options.ts'
import { row } from '../row.ts'
import { databaseOption, photosOption } from '../settings.ts'
import { fetched, keepingOf, sentTo } from '../backup-place.ts'
import { notCoveredLine } from './log.ts'
import { interruptible } from '../signals.ts'
import { versionText } from '@openfountain/core/version'
import { counted } from '../wording/entries.ts'

/** Distinguishes a copy that does not verify from a database that cannot be read. */
export function unverified(error: unknown): unknown {
  if (error instanceof RegistryError && 'problems' in error.details)
    return new CommandError('unverified', error.message, error.code, error.details)
  return error
}

async function copiedPhotos(registry: Registry, folder: string) {
  let [files, missing] = [0, 0]
  for await (const sha256 of registry.photos.files()) {
    const copy = path.join(folder, sha256.slice(0, 2), `${sha256}.webp`)
    await mkdir(path.dirname(copy), { recursive: true, mode: 0o700 })
    if (existsSync(copy) || (await registry.photos.copyFile(sha256, copy)) !== undefined) files++
    else missing++
  }
  return { folder, files, missing }
}

const backup = row('backup', {
  summary: 'Writes a consistent copy of the registry, also while a server runs, and verifies the copy.',
  more: 'The file appears only when the copy is complete, opens, its log verifies, and restoring would take it: of a database that lost a trigger, or has tables of others, there is none, and openfountain copy makes a whole one. It contains everything, also e-mail addresses and the hashes of secrets. FILE.erased beside it lists what was erased, in hashes: keep both together, since restore erases by the newest list that lies there. Files of photos are in NAME.photos beside the copy NAME.db, by hard links where the disk is the same. backup fetch brings one from the place of --to.',
  places: { file: 'The copy; it must not exist yet' },
  options: {
    ...databaseOption,
    ...photosOption,
    to: text(
      'PLACE',
      'Also copies it to a place off this machine, and reads it back: a folder, or s3://BUCKET/PREFIX?endpoint=https://HOST with keys in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
      { env: 'OPENFOUNTAIN_BACKUP_TO' },
    ),
    keep: text(
      'DAYS,WEEKS,MONTHS',
      'With --to: removes backups there, but for the newest of so many days, weeks and months; default none is removed',
      { env: 'OPENFOUNTAIN_BACKUP_KEEP', reads: keepingOf },
    ),
  },
  examples: {
    'backup "openfountain-$(date +%F).db"': 'Keeps a copy of today',
    'backup "openfountain-$(date +%F).db" --to "s3://copies/lund?endpoint=https://s3.example" --keep 7,4,12':
      'Keeps it in a bucket, too, with those of a week, of a month and of a year',
    'backup copy.db --json': 'Prints the file, its size and the head of its log',
  },
  check({ file, to, keep }) {
    if (keep !== undefined && to === undefined) throw usage('--keep is about what --to has: give --to, too')
    if (existsSync(file))
      throw new CommandError(
        'usage',
        `${file} exists already; choose another name or remove it`,
        'INVALID_INPUT',
      )
  },
  async call(registry, { file, to, keep }, { out }) {
    await out
      .during('Copying', (bar) => registry.backup(file, { onProgress: bar.at }))
      .catch(rethrown(unverified))
    const copy = await openRegistry({ database: file, readOnly: true })
    const head = await copy.changes.head()
    await copy.close()
    const { size: bytes } = await stat(file)
    const photos = registry.photos.areKept ? await copiedPhotos(registry, photosBeside(file)) : undefined
    const sent = to === undefined ? undefined : await sentTo(to, file, registry, keep)
    return { file, photos, erasures: `${file}.erased`, bytes, head, sent, notCovered }
  },
  text: ({ file, erasures, bytes, head, photos, sent }) => [
    `${inert(file)}: ${bytes.toLocaleString('en')} bytes, verified up to entry ${head.id}`,
    `${inert(erasures)} lists what was erased: keep it beside the copy`,
    ...(photos === undefined || photos.files === 0
      ? []
      : [`${inert(photos.folder)}: ${photos.files} files of photos: keep it beside the copy, too`]),
    ...(photos !== undefined && photos.missing > 0
      ? [`${photos.missing} files of photos are missing: log verify --photos names them`]
      : []),
    ...(sent === undefined ? [] : [`${inert(sent.place)} has it, too, and gave it back as it is`]),
    ...(sent?.removed.map((name) => `Removed there: ${inert(name)}`) ?? []),
    notCoveredLine(notCovered),
  ],
})

async function* photosOf(database: string): AsyncGenerator<string> {
  const registry = await openRegistry({ database, readOnly: true })
  try {
    yield* registry.photos.files()
  } finally {
    await registry.close()
  }
}

const backupFetch = command('backup fetch', {
  summary: 'Writes a backup of a place off this machine into a folder, for restore.',
  more: 'It comes with its photos, and with the newest list of erasures of that place.',
  places: {
    from: 'The place, as for backup --to',
    folder: 'Where the backup is written; nothing there is replaced',
  },
  options: { name: text('NAME', 'Which one; default the newest') },
  examples: {
    'backup fetch "s3://copies/lund?endpoint=https://s3.example" .':
      'Writes the newest backup into this folder',
  },
  async run({ from, folder, name }, { out }) {
    const result = await fetched(from, folder, name, photosOf)
    out.result(result, () => [
      `${inert(result.file)}: restore it with openfountain restore ${inert(result.file)} --db …`,
      result.missing > 0 && `${result.missing} files of photos are missing there`,
    ])
  },
})

/** Steps of copies and upgrades. */
const labels = {
  rows: 'Copying',
  indexes: 'Indexing',
  backup: 'Copying',
  migrations: 'Migrating',
  verification: 'Verifying',
} as const

const copy = command('copy', {
  summary:
    'Copies a registry, between files and databases on PostgreSQL servers, and verifies the copy row by row.',
  more: 'The copy has everything, also e-mail addresses and the hashes of secrets, and the same origin: it takes the place of the registry, and readers and mirrors notice nothing. Others may use the registry meanwhile; what they write after the copy began is not in it, so stop the servers before you move. It is no registry before every row was compared, and the entries of the log with its tree. Nothing is left of a copy that was interrupted: run it again.',
  places: {
    from: 'The registry: a file, or an address such as postgres://user@host:5432/fountains; it is only read',
    to: 'A file that does not exist yet, or the address of a database without a registry',
  },
  options: {},
  examples: {
    'copy openfountain.db postgres://fountains@db.example/fountains':
      'Moves a registry to a PostgreSQL server',
    'copy postgres://fountains@db.example/fountains openfountain.db': 'Moves it back to a file',
  },
  async run({ from, to }, { out }) {
    const { rows, left } = await out
      .during(labels.rows, (bar) =>
        interruptible((signal) =>
          copyRegistry({
            from,
            to,
            signal,
            onProgress: (step, done, total) => bar.at(done, total, labels[step]),
          }),
        ),
      )
      .catch(rethrown(unverified))
    const { waypoints = 0, entries = 0, users = 0 } = rows
    out.result({ from, to, waypoints, entries, rows, left }, () => [
      `${inert(to)} is a copy of ${inert(from)}: ${waypoints.toLocaleString('en')} waypoints, ${entries.toLocaleString('en')} entries of the log, ${users.toLocaleString('en')} people`,
      'Every row was compared, and the entries of the log with its tree',
      left.length > 0 &&
        `Not copied, since they are not the registry's: ${left.map((name) => inert(name)).join(', ')}`,
    ])
  },
})

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

export const commands = [backup, backupFetch, copy, upgrade]
