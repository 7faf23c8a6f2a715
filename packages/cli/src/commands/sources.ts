import type { Registry, Source } from '@openfountain/core'
import type { UndoneImport } from '@openfountain/core/internal'
import type { Context } from '../command.ts'
import { CommandError } from '../failure.ts'
import { quoted, registeredName } from '../licence-advice.ts'
import { flag, numbered, text } from '../options.ts'
import type { Line } from '../output.ts'
import { row, unlessDry } from '../row.ts'
import { databaseOption, regionsOption, writingOptions } from '../settings.ts'
import { interruptible } from '../signals.ts'
import { factLines, listLines, type Columns } from '../table.ts'
import { idsText } from '../wording/entries.ts'

const columns: Columns<Source> = {
  ID: 'id',
  NAME: 'name',
  LICENSE: 'license',
  WAYPOINTS: 'waypoints',
  'LAST IMPORT': 'lastImport',
  URL: 'url',
}

const undoOptions = {
  ...writingOptions,
  reason: text('TEXT', 'Why; it is public. Default that the import is undone'),
  'dry-run': flag('Reports what would be undone, and writes nothing'),
}

/** The most ids in a line. */
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

/** The registry's name of a source. @throws CommandError notFound, with all sources */
async function sourceNamed(registry: Registry, given: string): Promise<string> {
  const names = (await registry.sources.list()).map(({ name }) => name)
  const name = registeredName(given, names)
  if (names.includes(name)) return name
  const list = names.length === 0 ? 'there are none' : `the sources are ${names.map(quoted).join(', ')}`
  throw new CommandError('notFound', `source ${quoted(given)} not found; ${list}`, 'NOT_FOUND', { names })
}

interface Following {
  readonly dryRun: boolean
  readonly signal: AbortSignal
  readonly onProgress: (done: number, total: number) => void
}

/** Undoes with a progress bar; Ctrl-C stops it between two pages. */
async function undoing(
  { out }: Context,
  dryRun: boolean,
  undo: (following: Following) => Promise<Undone>,
): Promise<Undone> {
  return interruptible(async (signal) => {
    const result = await out.during('Undoing', (bar) => undo({ dryRun, signal, onProgress: bar.at }))
    if (!signal.aborted) return result
    throw new CommandError('interrupted', 'Stopped; run it again to go on', 'STOPPED', { ...result })
  })
}

/** The output of commands that undo imports. */
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
    access: 'read',
    call: async (registry) => ({ sources: await registry.sources.list() }),
    text: ({ sources }) => listLines(sources, columns, 'No sources'),
  }),
  row('source remove', {
    summary: 'Undoes all imports of a source: what nobody touched since becomes tombstones.',
    more: 'Fields that it filled in of other fountains are as before. What people changed stays and is listed. All of it is done by entries of the log. The source stays in source list, since the log names it; importing it again brings back what went. Run it with --dry-run first. Exports and sites that were made before have the data: make new ones.',
    places: { name: 'Its name, as source list prints it' },
    options: undoOptions,
    examples: {
      'source remove "City of Lund" --dry-run': 'Shows what would go',
      'source remove "City of Lund" --reason "Its licence does not fit"': 'Undoes its imports',
    },
    access: unlessDry,
    async call(registry, { name: given, reason, 'dry-run': isDry }, context) {
      const name = await sourceNamed(registry, given)
      return undoing(context, isDry, (following) => registry.sources.delete(name, { ...following, reason }))
    },
    ...ofUndone,
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
