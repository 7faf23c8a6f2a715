import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { openRegistry, restoreDatabase } from '@openfountain/core'
import {
  isErasureKnown,
  isLoopback,
  isOnServer,
  removeDatabase,
  type RestoreOptions,
  type RestoreResult,
  shownDatabase,
} from '@openfountain/core/internal'
import type { TailOptions, TailReport } from '@openfountain/exchange'
import { command, type Context } from '../command.ts'
import { CommandError, usage, rethrown } from '../failure.ts'
import { inert } from '../inert.ts'
import { type Line, asked } from '../output.ts'
import { securityLogOf } from '../security-log.ts'
import { auditedOptions, photosOf, photosOption } from '../settings.ts'
import { mirrorFailure, checkAddress, privateOption } from './mirror.ts'
import { unverified } from './backup.ts'
import { knownOf, notCoveredLine } from './log.ts'
import { flag, text } from '../options.ts'
import { counted } from '../wording/entries.ts'

type PhotoSettings = Parameters<typeof photosOf>[0]

interface Tail extends Pick<TailOptions, 'known' | 'trustRights' | 'allowPrivate'> {
  readonly url: string
}

const restored = async (options: RestoreOptions, { out }: Context): Promise<RestoreResult> =>
  out
    .during('Verifying', (bar) => restoreDatabase({ ...options, onProgress: bar.at }))
    .catch(rethrown(unverified))

async function followed(database: string, { url, ...options }: Tail, { out }: Context): Promise<TailReport> {
  const { followTail } = await import('@openfountain/exchange')
  // Entries have their own times.
  const registry = await openRegistry({ database, create: false, acceptClock: true })
  return out
    .during('Following', (bar) =>
      followTail(url, registry, { ...options, onProgress: ({ done, total }) => bar.at(done, total) }),
    )
    .catch(rethrown(mirrorFailure))
    .finally(() => registry.close())
}

const removed = async (file: string): Promise<void> => {
  await removeDatabase(file)
  await rm(`${file}.erased`, { force: true })
}

/** In a separate file, so that the registry stays unchanged until all is verified; erasures are repeated last. */
async function restoredWithTail(
  { database, from, replace }: RestoreOptions,
  tail: Tail,
  context: Context,
): Promise<RestoreResult & { readonly tail: TailReport }> {
  const beside = `${database}.tail`
  await removed(beside)
  try {
    await restored({ database: beside, from, erasures: 'later' }, context)
    const report = await followed(beside, tail, context)
    const result = await restored({ database, from: beside, replace, erasures: 'found' }, context)
    return { ...result, tail: report }
  } finally {
    await removed(beside)
  }
}

/** Warns and asks when no list of erasures since the backup exists. @throws CommandError usage unless confirmed */
async function mustAcceptRevival(file: string, { out }: Context): Promise<void> {
  const warning = `WARNING: nothing says what was erased since ${inert(file)} was made. Restored, it brings erased text and people who left back. Put the list of the lost machine, or of a newer backup, beside it first, as ${inert(file)}.erased (openfountain backup writes one beside each backup)`
  const unasked = `${warning}; or give --without-erasures. Nothing was restored`
  if ((await asked(`${warning}.\nRestore it all the same? Type yes: `, out, unasked)) !== 'yes')
    throw usage('nothing was restored')
}

const erasedAgain = 'Erased again, because it was erased since the backup was made'

const kindsText = (added: TailReport['added']): string =>
  Object.entries(added)
    .map(([kind, count]) => `${inert(kind)} ${count.toLocaleString('en')}`)
    .join(', ')

function tailLines({ entries, added, notTaken }: TailReport, url: string): Line[] {
  const { moderators = [], keepers = [], blocks = [], xp = [] } = notTaken ?? {}
  const people = [
    ...moderators.map((id) => `  ${inert(id)} is no moderator: openfountain user moderator ${inert(id)}`),
    ...keepers.map((id) => `  ${inert(id)} is no keeper: openfountain user keeper ${inert(id)}`),
    ...blocks.map((id) => `  ${inert(id)} is blocked, or not, as in the backup`),
    ...xp.map(({ userId, xp: amount }) => `  ${inert(userId)}: ${amount.toLocaleString('en')} XP`),
  ]
  return [
    `Followed from ${inert(url)}: ${counted(entries)}${entries === 0 ? '' : `: ${kindsText(added)}`}`,
    people.length > 0 &&
      'Not taken from there, since whoever runs it could have written it (--trust-rights takes it):',
    ...people,
  ]
}

/** Puts the files of photos that lie beside a backup where those of the restored registry are. @returns how many are missing */
async function restoredPhotos(file: string, settings: PhotoSettings, context: Context) {
  const { photosBeside, storageAt } = await import('@openfountain/photos')
  const beside = storageAt(photosBeside(file))
  const photos = await photosOf(settings, context)
  const registry = await openRegistry({ database: settings.db, create: false, readOnly: true, photos })
  let [files, missing] = [0, 0]
  try {
    for await (const sha256 of registry.photos.files()) {
      files++
      if (photos === undefined || (await photos.storage.has(sha256))) continue
      const bytes = await beside.get(sha256)
      if (bytes === undefined) missing++
      else await registry.photos.putFile(sha256, bytes)
    }
  } finally {
    await registry.close()
  }
  return { files, missing }
}

/** @throws CommandError usage */
function checkTail(url: string): void {
  checkAddress('--tail', url)
  const { protocol, hostname } = new URL(url)
  if (protocol === 'http:' && !isLoopback(hostname))
    throw usage('--tail must be https: what comes by http: anybody on the way may have written')
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

const restore = command('restore', {
  summary: 'Replaces the registry with a backup, after verifying it.',
  more: 'Nothing changes unless the backup verifies. An existing registry is replaced only with --force, in one step, and never while another process has it open. Text that was erased since the backup was made is erased again, that of reports too, and people who left since leave again. Where nothing says what was erased, it warns and asks. With --tail the entries that the backup does not have yet come from a mirror; names and e-mail addresses that were changed since, sessions and tokens do not, nor do moderators, blocks and granted XP without --trust-rights, since the log alone does not say that the registry gave them. Unless everything that was there is there again, the log gets a new origin, by which readers and mirrors notice that it is another line of history.',
  places: { file: 'The backup; it is only read' },
  options: {
    ...auditedOptions,
    ...photosOption,
    db: { ...auditedOptions.db, value: 'FILE', about: 'The registry’s database, a file' },
    force: flag('Replaces the existing registry'),
    tail: text(
      'URL',
      'A mirror of the registry, from which entries after those of the backup are followed; https:, or http: of this machine',
    ),
    ...privateOption,
    known: text('ID:HASH', 'With --tail: a head that the log there must continue'),
    'trust-rights': flag('With --tail: takes moderators, blocks and granted XP from there, too'),
    'without-erasures': flag('Does not ask where no list of erasures lies beside the database or FILE'),
  },
  examples: {
    'restore copy.db --db restored.db': 'Restores to another file',
    'restore copy.db --force': 'Replaces the existing registry',
    'restore copy.db --force --tail https://mirror.example --known ID:HASH':
      'Also brings back what a mirror followed since the backup was made, if it has the head that was kept',
  },
  async run({ file, db, force, tail: url, known, 'trust-rights': trustRights, ...given }, context) {
    mustBeFiles(db, file)
    if (existsSync(db) && !force)
      throw new CommandError(
        'usage',
        `${db} exists already; give --force to replace it, or another name with --db`,
        'INVALID_INPUT',
      )
    if (url === undefined && (known !== undefined || trustRights))
      throw usage('--known and --trust-rights are about what --tail brings: give --tail URL, too')
    if (url !== undefined) checkTail(url)
    const tail =
      url === undefined
        ? undefined
        : {
            url,
            trustRights,
            allowPrivate: given['allow-private'],
            known: known === undefined ? undefined : knownOf(known),
          }
    const options = { database: db, from: file, replace: force }
    if (!given['without-erasures'] && existsSync(file) && !(await isErasureKnown(options)))
      await mustAcceptRevival(file, context)
    const report = await securityLogOf(given)
    const result =
      tail === undefined
        ? { ...(await restored({ ...options, erasures: 'found' }, context)), tail }
        : await restoredWithTail(options, tail, context)
    const { head, entries, waypoints, originRenewed, erased, erasedReports, left, notCovered } = result
    const { lost = 0, tail: newer, deletedPhotos } = result
    const photos = await restoredPhotos(file, { db, photos: given.photos }, context)
    report?.({ time: new Date().toISOString(), event: 'registry.restored', head: head.id })
    const facts = {
      database: db,
      head,
      entries,
      waypoints,
      originRenewed,
      lost: result.lost,
      erased,
      erasedReports,
      left,
      deletedPhotos,
      photos,
      ...(newer && { followed: newer.entries, added: newer.added, notTaken: newer.notTaken }),
      notCovered,
    }
    context.out.result(facts, () => [
      `${inert(db)} is restored: ${waypoints.toLocaleString('en')} waypoints, verified up to entry ${head.id}`,
      ...(newer === undefined ? [] : tailLines(newer, url ?? '')),
      erased > 0 && `${erasedAgain}: text of ${counted(erased)}`,
      erasedReports > 0 && `${erasedAgain}: text of reports, ${erasedReports.toLocaleString('en')}`,
      left > 0 &&
        `Left again, because they left since the backup was made: people, ${left.toLocaleString('en')}`,
      deletedPhotos > 0 &&
        `Deleted again, because they were since: photos, ${deletedPhotos.toLocaleString('en')}`,
      photos.missing > 0 &&
        `${photos.missing} of ${photos.files} files of photos are missing: they are neither where photos lie nor beside ${inert(file)}`,
      lost > 0 &&
        `Lost, because the backup does not have them: ${counted(lost)} of the registry that was here`,
      originRenewed &&
        'The log has a new origin, by which readers and mirrors notice that something may be missing of what was there; a key of the log does not sign it: log key replace with another --origin-name',
      notCoveredLine(notCovered),
    ])
  },
})

export const commands = [restore]
