import { existsSync } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { openRegistry, type Registry, RegistryError } from '@openfountain/core'
import { photosBeside } from '@openfountain/photos'
import { notCovered } from '@openfountain/core/internal'
import { command } from '../command.ts'
import { CommandError, rethrown, usage } from '../failure.ts'
import { inert } from '../inert.ts'
import { text } from '../options.ts'
import { row } from '../row.ts'
import { databaseOption, photosOption } from '../settings.ts'
import { fetched, keepingOf, sentTo } from '../backup-place.ts'
import { notCoveredLine } from './log.ts'

/** Distinguishes a copy that does not verify from a database that cannot be read. */
export function unverified(error: unknown): unknown {
  if (error instanceof RegistryError && 'problems' in error.details)
    return new CommandError('unverified', error.message, error.code, error.details)
  return error
}

/** Copies the files of all photos into a folder that has some of them, or none. */
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

export const commands = [backup, backupFetch]
