import { token, type QueueItem, type Source } from '@openfountain/core'
import { intervals, type Interval } from '@openfountain/core/fields'
import type { DecidedRow, RowDecisions, Schedule, UndoneImport } from '@openfountain/core/internal'
import type { Context } from '../command.ts'
import { CommandError, usage } from '../failure.ts'
import { inert } from '../inert.ts'
import { quoted, registeredName, warnOfLicence, sourceNamed } from '../licence-advice.ts'
import { flag, list, numbered, numberOf, text } from '../options.ts'
import type { Line } from '../output.ts'
import { harvestOptionsOf, readingOptions, sourceIn } from '../reading-options.ts'
import { row, unlessDry } from '../row.ts'
import { databaseOption, regionsOption, registryLicenseOption, writingOptions } from '../settings.ts'
import { interruptible } from '../signals.ts'
import { factLines, listLines, type Columns } from '../table.ts'
import { idsText } from '../wording/entries.ts'
import { nextText, pageOptions } from './moderation.ts'

const columns: Columns<Source> = {
  ID: 'id',
  NAME: 'name',
  LICENSE: 'license',
  WAYPOINTS: 'waypoints',
  'LAST IMPORT': 'lastImport',
  EVERY: ({ harvesting }) => harvesting?.every,
  CHECKED: ({ harvesting }) => harvesting?.checkedAt,
  'STALE SINCE': ({ harvesting }) => harvesting?.staleSince,
  URL: 'url',
}

const scheduleOptions = {
  ...writingOptions,
  ...readingOptions,
  page: text('URL', 'Where people find the data; default the address, unless it is a private one'),
}

const everyOption = (more: object = {}) =>
  text('TIME', 'How often it is harvested; with never only when it is named', {
    choices: intervals,
    ...more,
  })

/** The address, once it may be fetched and has nothing secret in it. @throws CommandError usage */
async function checkedAddress(url: string, allowPrivate: boolean | undefined): Promise<string> {
  const { FetchRefused, namedAddress } = await import('@openfountain/exchange')
  try {
    return namedAddress(url, { allowPrivate }).href
  } catch (error) {
    if (error instanceof FetchRefused) throw usage(`--url: ${inert(error.message)}`)
    throw error
  }
}

/** A source with its address and how it is read. */
interface Scheduled {
  readonly source: string
  readonly url: string
  readonly every: Interval
  readonly options: Schedule['options']
}

const scheduledLines = ({ source, url, every, options }: Scheduled): Line[] => [
  `${quoted(source)} is harvested ${every === 'never' ? 'when it is named' : `every ${every}`}:`,
  ...factLines([
    ['address', url],
    ...Object.entries(options).map(([name, value]) => {
      const shown = typeof value === 'object' ? JSON.stringify(value) : String(value)
      return [name, shown.length > 60 ? `${shown.slice(0, 59)}…` : shown] as const
    }),
  ]),
]

const noteOfHarvest = ({ every }: Scheduled): string =>
  every === 'never'
    ? 'openfountain harvest NAME fetches it'
    : 'openfountain harvest fetches what is due; run it by a timer, or with --watch'

const undoOptions = {
  ...writingOptions,
  reason: text('TEXT', 'Why; it is public. Default that the import is undone'),
  'dry-run': flag('Reports what would be undone, and writes nothing'),
}

const namedIds = 20

type Undone = Omit<UndoneImport, 'run'>

function undoneLines(
  { source, removed, reverted, restored, delisted, kept }: Undone,
  isDry: boolean,
): Line[] {
  const ids = kept.slice(0, namedIds).map(({ waypointId }) => waypointId)
  const more = kept.length > namedIds ? ' and others, which --json lists' : ''
  return [
    isDry
      ? `Dry run: nothing was written. Undoing would give, of ${quoted(source)}:`
      : `Undone of ${quoted(source)}:`,
    ...factLines([
      ['deleted', removed],
      ['edits taken back', reverted],
      ['brought back', restored],
      ['no longer listed', delisted],
      ['kept', kept.length],
    ]),
    kept.length > 0 &&
      `Kept, because people changed them since, or another source lists them: ${idsText(ids)}${more}. They keep the name and the licence of the source; openfountain waypoint remove ID deletes one.`,
  ]
}

const doubtfulColumns: Columns<QueueItem> = {
  ID: ({ row }) => row?.id,
  SOURCE: ({ row }) => row?.source,
  ROW: ({ row }) => row?.row,
  NAME: ({ row }) => row?.name,
  'MAY BE': ({ waypoint }) => (waypoint === undefined ? 'gone' : `${waypoint.name} (${waypoint.id})`),
  METRES: 'metres',
  SCORE: 'score',
}

const decidedColumns: Columns<DecidedRow> = {
  ID: 'id',
  DECISION: ({ decision, error }) => decision ?? error?.message,
  FOUNTAIN: 'waypointId',
}

const decisionOptions = {
  same: list('IDS', 'These rows are the fountains that were found: ids, joined by commas'),
  new: list('IDS', 'These rows are new fountains'),
  skip: list('IDS', 'These rows are not imported, now and when they come again'),
  open: list('IDS', 'Takes --skip back'),
} as const

type Lists = { readonly [Decision in keyof typeof decisionOptions]?: readonly string[] | undefined }

/** The decisions that options make. @throws CommandError usage */
function decisionsOf(given: Lists): RowDecisions['decisions'] {
  const decisions = (Object.keys(decisionOptions) as (keyof Lists)[]).flatMap((decision) =>
    (given[decision] ?? [])
      .flatMap((ids) => ids.split(','))
      .map((id) => ({ id: numberOf(id.trim()), decision })),
  )
  const twice = decisions.find(({ id }, index) => decisions.findIndex((each) => each.id === id) < index)
  if (twice !== undefined) throw usage(`Row ${twice.id} is decided twice`)
  return decisions
}

/** Undoes with a progress bar; Ctrl-C stops it between two pages. */
const undoing = async (
  { out }: Context,
  dryRun: boolean,
  undo: (following: {
    readonly dryRun: boolean
    readonly signal: AbortSignal
    readonly onProgress: (done: number, total: number) => void
  }) => Promise<Undone>,
): Promise<Undone> =>
  interruptible(async (signal) => {
    const result = await out.during('Undoing', (bar) => undo({ dryRun, signal, onProgress: bar.at }))
    if (!signal.aborted) return result
    throw new CommandError('interrupted', 'Stopped; run it again to go on', 'STOPPED', { ...result })
  })

const ofUndone = {
  json: (undone: Undone, { 'dry-run': dryRun }: { readonly 'dry-run': boolean }) => ({ ...undone, dryRun }),
  text: (undone: Undone, { 'dry-run': dryRun }: { readonly 'dry-run': boolean }) =>
    undoneLines(undone, dryRun),
}

export const commands = [
  row('source list', {
    summary: 'Lists the sources of imported data with their licences, and how many fountains each lists.',
    options: databaseOption,
    examples: {
      'source list': 'Shows names and licences',
      'source list --json': 'Prints { "sources": … }',
    },
    call: async (registry) => ({ sources: await registry.sources.list() }),
    text: ({ sources }) => listLines(sources, columns, 'No sources'),
  }),
  row('source add', {
    summary: 'Gives a source an address, from which it is imported again and again.',
    more: 'openfountain harvest fetches it when it is due. Addresses are https: alone, and none of your own network without --allow-private. An address with a user, a password, a token or a key is refused, since it would be kept and shown: --header names a variable of the environment instead. Nothing is fetched yet: openfountain import URL --dry-run shows what would come.',
    places: { name: 'Who publishes the data; a source that is there already gets an address' },
    options: {
      ...scheduleOptions,
      ...registryLicenseOption,
      url: text('URL', 'Its address: a file, or the answer of a portal, whose pages are joined', {
        required: true,
      }),
      every: everyOption({ default: 'day' }),
    },
    examples: {
      'source add "City of Lund" --url https://data.example.org/fountains.geojson --license CC0-1.0 --every day':
        'Is harvested once a day',
      'source add Zürich --url https://data.example.org/brunnen.json --map zurich --every week':
        'Reads it with a ready map, which names the licence',
      'source add Oslo --url https://data.example.org/fountains.csv --license CC-BY-4.0 --header X-App-Token=OPENFOUNTAIN_SECRET_OSLO':
        'Sends a secret that is in the environment',
    },
    access: 'create',
    async call(registry, given, context): Promise<Scheduled> {
      const options = await harvestOptionsOf(given)
      const url = await checkedAddress(given.url, options.allowPrivate)
      const name = registeredName(
        given.name,
        (await registry.sources.list()).map(({ name }) => name),
      )
      const known = await registry.sources.named(name)
      const before = (await registry.harvests.schedules()).find(({ id }) => id === known?.id)
      if (before !== undefined)
        throw new CommandError(
          'refused',
          `${quoted(name)} has an address already: openfountain source set changes it`,
          'SCHEDULED',
        )
      const said = await sourceIn(options.map)
      const license = given.license ?? said?.license ?? known?.license
      if (license === undefined)
        throw usage(
          '--license is missing: say the licence of the data, such as --license CC0-1.0; where its publisher states none, ask',
        )
      const page = given.page ?? said?.url ?? (options.allowPrivate === true ? undefined : url)
      const attribution = given.attribution ?? said?.attribution
      const { id } = await registry.sources.ensure({ name, license, url: page, attribution })
      const { every } = await registry.harvests.schedule(id, { url, every: given.every as Interval, options })
      await warnOfLicence({ name, license, mayRemove: false }, registry, context)
      return { source: name, url, every, options }
    },
    text: scheduledLines,
    note: noteOfHarvest,
  }),
  row('source set', {
    summary: 'Changes the address of a source, how often it is harvested, or how it is read.',
    more: 'What is not given stays as it is. It is due at once, and fetched whole if its address or how it is read changed.',
    places: { name: 'Its name, as source list prints it' },
    options: {
      ...scheduleOptions,
      url: text('URL', 'Its new address'),
      every: everyOption(),
      forget: flag('Forgets how it was read until now, such as its map, before the options that are given'),
    },
    examples: {
      'source set "City of Lund" --every never': 'Harvests it no more, unless it is named',
      'source set "City of Lund" --url https://data.example.org/v2/fountains.geojson': 'Has moved',
      'source set "City of Lund" --forget --sheet 2026': 'Reads another sheet, and nothing else as before',
    },
    access: 'change',
    async call(registry, given): Promise<Scheduled> {
      const source = await sourceNamed(registry, given.name)
      const { id, license: before } = (await registry.sources.named(source)) ?? { id: 0, license: '' }
      const schedule = (await registry.harvests.schedules()).find((each) => each.id === id)
      if (schedule === undefined)
        throw new CommandError(
          'notFound',
          `${quoted(source)} has no address: openfountain source add gives it one`,
        )
      const options = {
        ...(given.forget ? {} : schedule.options),
        ...(await harvestOptionsOf(given)),
      }
      const url = await checkedAddress(given.url ?? schedule.url, options['allowPrivate'] === true)
      const { license = before, attribution, page } = given
      if ((given.license ?? attribution ?? page) !== undefined)
        await registry.sources.ensure({ name: source, license, url: page, attribution })
      const every = (given.every as Interval | undefined) ?? schedule.every
      await registry.harvests.schedule(id, { url, every, options })
      return { source, url, every, options }
    },
    text: scheduledLines,
  }),
  row('source review', {
    summary: 'Lists doubtful rows of imports, which may be fountains that are here, and decides them.',
    more: 'Without a decision it lists. What is imported is undone with its import. A row that was skipped is not asked about again; one that its source no longer lists goes by itself. Moderators decide them at their desk, too; import --review reads decisions from a file.',
    places: { name: { about: 'Only rows of this source', optional: true } },
    options: { ...writingOptions, ...pageOptions, ...decisionOptions },
    examples: {
      'source review': 'Lists the rows of all sources',
      'source review "City of Lund" --json': 'Prints { "items": …, "total": … }',
      'source review --same 12,13 --new 14 --skip 15': 'Decides four rows',
    },
    access: (given) => (decisionsOf(given).length > 0 ? 'change' : 'read'),
    async call(registry, { name, limit, after, ...given }) {
      const decisions = decisionsOf(given)
      if (decisions.length > 0) return { rows: await registry.moderation.decide({ decisions }, token()) }
      const source = name === undefined ? undefined : await sourceNamed(registry, name)
      return registry.moderation.queue({ kind: 'doubtful', source, limit, after }, token())
    },
    text: (result) =>
      'rows' in result
        ? listLines(result.rows, decidedColumns, '')
        : listLines(result.items, doubtfulColumns, 'No doubtful rows'),
    note: (result) =>
      'rows' in result
        ? undefined
        : [`${result.total} in all`, nextText(result.next) ?? []].flat().join('\n'),
    exit: (result) =>
      'rows' in result && result.rows.some(({ error }) => error !== undefined) ? 'refused' : 'done',
  }),
  row('source remove', {
    summary: 'Undoes all imports of a source: what nobody touched since becomes tombstones.',
    more: 'It is not harvested any more. Fields that it filled in of other fountains are as before. What people changed stays and is listed. All of it is done by entries of the log. The source stays in source list, since the log names it; importing it again brings back what went. Run it with --dry-run first. Exports and sites that were made before have the data: make new ones.',
    places: { name: 'Its name, as source list prints it' },
    options: undoOptions,
    examples: {
      'source remove "City of Lund" --dry-run': 'Shows what would go',
      'source remove "City of Lund" --reason "Its licence does not fit"': 'Undoes its imports',
    },
    access: unlessDry,
    async call(registry, { name: given, reason, 'dry-run': isDry }, context) {
      const name = await sourceNamed(registry, given)
      // First of all, so that a harvest does not bring it back.
      const source = await registry.sources.named(name)
      if (!isDry && source !== undefined) await registry.harvests.unschedule(source.id)
      return undoing(context, isDry, (following) => registry.sources.delete(name, { ...following, reason }))
    },
    ...ofUndone,
  }),
  row('source runs', {
    summary: 'Lists what came of the harvests of a source, or of all, the newest first.',
    more: 'A harvest that stopped says why, and what it would have done. --json has the address that it was led to.',
    places: { name: { about: 'Its name, as source list prints it; default all', optional: true } },
    options: databaseOption,
    examples: {
      'source runs': 'Shows the latest harvests of all sources',
      'source runs "City of Lund" --json': 'Prints { "runs": … } of one',
    },
    async call(registry, { name: given }) {
      const name = given === undefined ? undefined : await sourceNamed(registry, given)
      const sources = (await registry.sources.list()).filter((each) => (name ?? each.name) === each.name)
      const nameOf = new Map(sources.map((source) => [source.id, source.name]))
      const [only] = name === undefined ? [] : sources
      const runs = await registry.harvests.list(only?.id)
      const stale = sources.flatMap(({ name: source, harvesting }) =>
        harvesting?.staleSince === undefined ? [] : [{ source, since: harvesting.staleSince }],
      )
      return {
        runs: runs.map(({ id: _id, sourceId, ...run }) => ({ source: nameOf.get(sourceId) ?? '', ...run })),
        stale,
      }
    },
    text: ({ runs, stale }) => [
      ...listLines(
        runs,
        {
          STARTED: 'startedAt',
          SOURCE: 'source',
          OUTCOME: 'outcome',
          ANSWER: 'status',
          READ: 'read',
          ADDED: 'added',
          CHANGED: 'changed',
          MISSING: 'missing',
          REFUSED: 'refused',
          WHY: ({ message, reason }) => message ?? reason,
        },
        'No harvests yet',
      ),
      ...stale.map(({ source, since }) => `${quoted(source)} is stale since ${since}`),
    ],
  }),
  row('import undo', {
    summary: 'Undoes the last import: what nobody touched since is as before.',
    more: 'New fountains become tombstones, edits are taken back, and what it removed comes back. What people changed since stays and is listed. All of it is done by entries of the log. Running it again undoes the import before; --run with the number of the run that undid takes that back. A file that was corrected can be imported again at once: fountains that went come back.',
    options: {
      ...undoOptions,
      source: text('NAME', 'The last import of this source; default of any'),
      run: text('ID', 'This import, by its number; newer ones of its source go first', numbered),
    },
    examples: {
      'import undo --dry-run': 'Shows what would be undone',
      'import undo --source "City of Lund"': 'Undoes the last import of Lund',
    },
    access: unlessDry,
    async call(registry, { reason, source: given, run, 'dry-run': isDry }, context) {
      const source = given === undefined ? undefined : await sourceNamed(registry, given)
      return undoing(context, isDry, (following) =>
        registry.imports.undo({ ...following, reason, run, source }),
      )
    },
    ...ofUndone,
  }),
  row('regions assign', {
    summary: 'Finds the country and the place of every waypoint anew, from boundaries.',
    more: 'New and moved waypoints have their place at once; run this for those that were there before, and when the boundaries changed. The place stands beside the region that people gave, which is never changed; it is no edit by anybody, and in no entry of the log. Where FILE does not say the country, the borders of the world do that are part of the command; FILE says the smaller places.',
    options: {
      ...databaseOption,
      ...regionsOption,
      'dry-run': flag('Reports how many places would change, and writes nothing'),
    },
    examples: {
      'regions assign': 'Finds the countries of all waypoints',
      'regions assign --regions regions.geojson --dry-run':
        'Says what the boundaries in that file would change',
    },
    access: unlessDry,
    async call(registry, { regions, 'dry-run': dryRun }, { out }) {
      const { placesIn } = await import('@openfountain/exchange/places')
      const places = await placesIn({ regions })
      const { totalWaypoints } = await registry.statistics()
      const assigned = await out.during('Finding places', (bar) =>
        registry.waypoints.assignPlaces(places, {
          dryRun,
          onProgress: (waypoints) => bar.at(waypoints, totalWaypoints),
        }),
      )
      return { ...assigned, dryRun }
    },
    text: ({ waypoints, placed, changed, dryRun }) => [
      dryRun ? 'Dry run: nothing was written. Assigning would give:' : 'Assigned:',
      ...factLines([
        ['waypoints', waypoints],
        ['with a place', placed],
        ['changed', changed],
      ]),
    ],
  }),
]
