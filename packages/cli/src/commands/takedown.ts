import { RegistryError, token, type Registry } from '@openfountain/core'
import { command, type Context } from '../command.ts'
import type { ExitName } from '../exit-codes.ts'
import { CommandError, usage } from '../failure.ts'
import { inert } from '../inert.ts'
import { quoted } from '../licence-advice.ts'
import { asked } from '../output.ts'
import { powerOptions, reasonOption, withRegistry } from '../settings.ts'
import { findPhoto, findText, findUser, findWaypoint, type Findings, type Place } from '../takedown.ts'
import { entriesText } from '../wording/entries.ts'
import { leftoverLines } from './log.ts'
import { flag, numbered, text } from '../options.ts'
import { anotherProcess } from '../follow.ts'
import { interruptible } from '../signals.ts'

/** The shortest searchable text; shorter ones match almost everything. */
const shortest = 3

interface Target {
  readonly kind: 'text' | 'user' | 'waypoint' | 'photo'
  /** The name to confirm; undefined for a text or a photo. */
  readonly name: string | undefined
  readonly title: string
  readonly findings: Findings
  /** Erases it. @returns the redacted entries, and temporary leftovers */
  erase(reason: string): Promise<Erased>
}

interface Erased {
  readonly entries: readonly number[]
  readonly reports: readonly number[]
  readonly rows: readonly number[]
  readonly photos: readonly number[]
  readonly leftovers: readonly { readonly place: string; readonly remedy: string }[]
}

/** Deletes all photos with their files, redacts all places, and erases all reports and doubtful rows. */
async function redactAll(
  registry: Registry,
  { places, reports, rows, photos }: Findings,
  reason: string,
): Promise<Erased> {
  let held: unknown
  const keep = (error: unknown): undefined => {
    // The text is removed from the registry already; continue, and report the leftovers at the end.
    if (!(error instanceof RegistryError) || error.code !== 'STORAGE_NOT_ERASED') throw error
    held = error
  }
  for (const { id } of photos) await registry.photos.delete(id, token(), { reason }).catch(keep)
  const texts = places.map(({ entry, fields }) => ({ id: entry, fields: Object.keys(fields) }))
  const erasure = await registry.changes.redactAll(texts, { reason }).catch(keep)
  const ids = reports.map(({ id }) => id)
  await registry.reports.eraseAll(ids).catch(keep)
  const rowIds = rows.map(({ id }) => id)
  await registry.moderation.eraseRows(rowIds).catch(keep)
  if (held !== undefined) throw held
  const { entries = [], leftovers = [] } = erasure ?? {}
  return { entries, reports: ids, rows: rowIds, photos: photos.map(({ id }) => id), leftovers }
}

interface Asked {
  readonly text: string | undefined
  readonly user: string | undefined
  readonly waypoint: number | undefined
  readonly photo: number | undefined
}

/** Finds what one of the options names. @throws RegistryError NOT_FOUND for an unknown user, fountain or photo */
async function targetOf(registry: Registry, { text = '', user, waypoint, photo }: Asked): Promise<Target> {
  if (user !== undefined) {
    const { name } = await registry.users.profile(user)
    const title = `User ${inert(user)}, ${quoted(name)}: name, address, ways to sign in, and what they wrote`
    const findings = await findUser(registry, user)
    const entries = findings.places.map(({ entry }) => entry)
    const photos = findings.photos.map(({ id }) => id)
    const erase = async () => {
      await registry.accounts.leave(user, { confirm: name, texts: 'erase' })
      return { entries, reports: [], rows: [], photos, leftovers: [] }
    }
    return { kind: 'user', name, title, findings, erase }
  }
  if (waypoint !== undefined) {
    const { name } = await registry.waypoints.getEvenDeleted(waypoint)
    const title = `Fountain ${waypoint}, ${quoted(name)}: it is deleted for good, with its position, its photos and its reviews’ texts`
    const findings = await findWaypoint(registry, waypoint)
    const erase = async (reason: string) => {
      const live = await registry.waypoints.get(waypoint).catch(() => undefined)
      if (live) await registry.waypoints.delete(waypoint, token(), { reason })
      return redactAll(registry, findings, reason)
    }
    return { kind: 'waypoint', name, title, findings, erase }
  }
  const [kind, title, findings] =
    photo === undefined
      ? (['text', `The text ${quoted(text)}`, await findText(registry, text)] as const)
      : ([
          'photo',
          `Photo ${photo}: it is deleted for good, with its files`,
          await findPhoto(registry, photo),
        ] as const)
  return { kind, name: undefined, title, findings, erase: (reason) => redactAll(registry, findings, reason) }
}

const valueText = (value: unknown): string => inert(typeof value === 'string' ? value : JSON.stringify(value))

const placeLines = ({ entry, subject, by, at, fields }: Place): string[] => [
  `Entry ${entry}, ${inert(subject)}, by ${inert(by)}, ${at.slice(0, 10)}`,
  ...Object.entries(fields).map(([name, value]) => `  ${name}: ${valueText(value)}`),
]

const previewLines = ({
  title,
  findings: { places, reports, rows, photos, elsewhere },
}: Target): string[] => [
  `${title}; ${places.length} ${places.length === 1 ? 'entry' : 'entries'} of the log`,
  ...places.flatMap(placeLines),
  ...reports.map(
    ({ id, comment = '', note = '' }) => `Report ${id}: ${inert([comment, note].join(' ').trim())}`,
  ),
  ...rows.map(({ id, values }) => `Doubtful row ${id}: ${inert(JSON.stringify(values))}`),
  ...photos.map(({ id, bubblerId, author, createdAt, state, alt = '' }) =>
    `Photo ${id} of fountain ${bubblerId} by ${quoted(author)}, ${createdAt.slice(0, 10)}, ${state} ${inert(alt)}`.trimEnd(),
  ),
  ...elsewhere.map(({ place, remedy }) => `Not erased by this: ${inert(place)}; ${inert(remedy)}`),
]

/** Lines about remaining copies. @param published the exit of the new publication; undefined without one */
const copyLines = (published: ExitName | undefined): readonly string[] => [
  published === 'done'
    ? 'The site and its downloads are published again without it. What was made before still has it:'
    : 'What was made before still has it:',
  published === 'done'
    ? '  Dated exports, and sites on other hosts: delete them, or send them the new one'
    : '  Exports and the site: publish them again (openfountain publish, with the options that the site has; or sudo systemctl start openfountain-publish.service), and delete dated ones',
  '  Backups: openfountain restore erases it again, by the list beside the database or a newer backup; delete those that must not have it, with the files of photos in NAME.photos beside them',
  '  Mirrors follow at their next run; who copied the files does not: tell whom you know',
  '  Search engines and archives of the web: ask them to fetch the pages again',
]

/** @throws CommandError usage unless confirmed */
async function mustBeConfirmed(
  { name, kind }: Target,
  { yes, confirm }: { readonly yes: boolean; readonly confirm: string | undefined },
  { out }: Context,
): Promise<void> {
  const isRight = (given: string | undefined): boolean =>
    given !== undefined && (given === name || inert(name ?? '') === given)
  const wanted = `--confirm ${name === undefined ? '' : quoted(name)}`
  const what = kind === 'user' ? 'the user’s name' : 'the fountain’s name'
  if (confirm !== undefined && name !== undefined && !isRight(confirm))
    throw usage(`--confirm must be ${what}, ${quoted(name)}; nothing was erased`)
  if (yes && (name === undefined || confirm !== undefined)) return
  if (yes) throw usage(`--yes needs ${what} as well: ${wanted}; nothing was erased`)
  const unasked = `nothing was erased; to erase it give --yes${name === undefined ? '' : ` ${wanted}`}`
  const question = `Erase this for good? Type ${name === undefined ? 'yes' : what}: `
  const answer = await asked(question, out, unasked)
  if (name === undefined ? answer !== 'yes' : !isRight(answer)) throw usage('nothing was erased')
}

const publishingOptions = {
  publish: text(
    'OPTIONS',
    'The options with which openfountain publish makes the site, --publish="--out site --api /api": it is published again; default it is said that it has to be',
    { env: 'OPENFOUNTAIN_PUBLISH' },
  ),
}

interface Given {
  readonly db: string
  readonly publish: string | undefined
}

/** Publishes again in a child process; undefined without options for publishing. */
async function publishAgain({ db, publish }: Given, env: NodeJS.ProcessEnv): Promise<ExitName | undefined> {
  const words = wordsOf(publish ?? '')
  if (words.length === 0) return undefined
  // The address in the environment may contain a password, which must not be in a command line.
  const database = db === env['OPENFOUNTAIN_DB'] ? [] : ['--db', db]
  return interruptible((signal) => anotherProcess(['publish', ...words, ...database], signal, 'stderr'))
}

/** The words of a line as a shell has them: quotes keep white space together. */
function wordsOf(line: string): string[] {
  const words = line.match(/(?:[^\s"']|"[^"]*"|'[^']*'|["'])+/gu) ?? []
  return words.map((word) => word.replaceAll(/"([^"]*)"|'([^']*)'/gu, '$1$2'))
}

const takedown = command('takedown', {
  summary:
    'Finds a text, a person, a fountain or a photo everywhere, shows it, asks, and erases it for good.',
  more: 'It looks at fountains, their history, reviews, observations, reports, doubtful rows of imports, reasons, names of imported files and people, and photos, and erases what it showed as log redact and user erase do: the log still verifies, and says that something was removed. Then it publishes again, where --publish says how, and says what still holds copies. With --user and --waypoint the name has to be typed, or given with --confirm, so that a wrong id harms nobody. docs/guides/takedown.md has a letter to answer.',
  options: {
    ...powerOptions,
    text: text(
      'TEXT',
      'A text such as a telephone number; case, white space and Unicode form do not matter, nor how the digits of a number are grouped',
    ),
    user: text('ID', 'A user, with all that they wrote but names of fountains'),
    waypoint: text('ID', 'A fountain, with its position, its history, its photos and its reviews', numbered),
    photo: text('ID', 'A photo, with its files and its texts', numbered),
    ...reasonOption,
    ...publishingOptions,
    'dry-run': flag('Shows what would be erased, and erases nothing'),
    yes: flag('Does not ask; with --user and --waypoint --confirm is needed, too'),
    confirm: text('NAME', 'The name of the user or of the fountain, as a safeguard'),
  },
  examples: {
    'takedown --text "+46 70 123 45 67" --reason "A private number" --dry-run': 'Shows where it is',
    'takedown --text "+46 70 123 45 67" --reason "A private number"': 'Shows it, asks, and erases it',
    'takedown --photo 31 --reason "A face" --yes': 'Deletes a photo and its files without asking',
    'takedown --waypoint 12 --reason "In a private garden" --yes --confirm "Garden tap"':
      'Erases a fountain without asking',
  },
  async run(
    { text: wanted, user, waypoint, photo, reason, publish, 'dry-run': isDry, yes, confirm, ...options },
    context,
  ) {
    const { out, env } = context
    if ([wanted, user, waypoint, photo].filter((given) => given !== undefined).length !== 1)
      throw usage('give one of --text, --user, --waypoint and --photo')
    if (wanted !== undefined && wanted.trim().length < shortest)
      throw usage(`--text must have at least ${shortest} characters: shorter ones are in everything`)
    return withRegistry(options, isDry ? 'read' : 'change', context, async (registry) => {
      const target = await targetOf(registry, { text: wanted, user, waypoint, photo })
      const { findings, kind, name } = target
      if (kind === 'text' && Object.values(findings).every((found) => found.length === 0))
        throw new CommandError('notFound', `${target.title} is nowhere in the registry`, 'NOT_FOUND')
      const value = { kind, name, ...findings }
      if (isDry) {
        out.result({ ...value, dryRun: true }, () => [...previewLines(target), 'Dry run: nothing was erased'])
        return 'done'
      }
      if (!out.json) out.note(previewLines(target).join('\n'))
      await mustBeConfirmed(target, { yes, confirm }, context)
      const erased = await target.erase(reason).catch(async (error: unknown) => {
        // The registry no longer has it, so the public site must not wait for the rest.
        if (error instanceof RegistryError && error.code === 'STORAGE_NOT_ERASED')
          await publishAgain({ ...options, publish }, env)
        throw error
      })
      const published = await publishAgain({ ...options, publish }, env)
      const { entries, reports, rows, photos, leftovers } = erased
      out.result({ ...value, dryRun: false, erased, published: published === 'done' }, () => [
        entries.length === 0
          ? 'No entry lost text'
          : `Text is removed from ${entriesText(entries)}: ${inert(reason)}`,
        photos.length > 0 && `Deleted with their files: photos ${photos.join(', ')}`,
        reports.length > 0 && `and from reports ${reports.join(', ')}`,
        rows.length > 0 &&
          `and doubtful rows ${rows.join(', ')} are deleted; an older backup, or a file that still has them, brings them back: then run it again`,
        ...leftoverLines(leftovers),
        ...copyLines(published),
      ])
      return published
    })
  },
})

export const commands = [takedown]
