import type { Registry, Source, UndoneImport } from '@openfountain/core'
import { command, type Context } from '../command.ts'
import { CommandError } from '../failure.ts'
import { registeredName, quoted } from '../licence-advice.ts'
import { databaseOption, withRegistry, writingOptions } from '../settings.ts'
import { factLines, type Column } from '../table.ts'
import { idsText } from '../wording/entries.ts'
import { numberOf } from './sessions.ts'

const columns: Column<Source>[] = [
  { heading: 'ID', value: ({ id }) => id },
  { heading: 'NAME', value: ({ name }) => name },
  { heading: 'LICENSE', value: ({ license }) => license },
  { heading: 'WAYPOINTS', value: ({ waypoints }) => waypoints },
  { heading: 'LAST IMPORT', value: ({ lastImport }) => lastImport },
  { heading: 'URL', value: ({ url }) => url },
]

export const sourceList = command({
  name: 'source list',
  summary: 'Lists the sources of imported data with their licences, and how many fountains each lists.',
  options: databaseOption,
  examples: [
    { line: 'openfountain source list', does: 'Shows names and licences' },
    { line: 'openfountain source list --json', does: 'Prints { "sources": … }' },
  ],
  async run(options, _positionals, context) {
    await withRegistry(options, 'read', context, async (registry) => {
      const sources = await registry.sources.list()
      context.out.table({ sources }, sources, columns, 'No sources')
    })
  },
})

const undoOptions = {
  ...writingOptions,
  reason: { type: 'text', value: 'TEXT', about: 'Why; it is public. Default that the import is undone' },
  'dry-run': { type: 'flag', about: 'Reports what would be undone, and writes nothing' },
} as const

/** The most ids in a line. */
const namedIds = 20

type Undone = Omit<UndoneImport, 'run'>

function undoneLines(
  { source, removed, reverted, restored, delisted, kept }: Undone,
  isDry: boolean,
): string[] {
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
    ...(kept.length === 0
      ? []
      : [
          `Kept, because people changed them since, or another source lists them: ${idsText(ids)}${more}. They keep the name and the licence of the source; openfountain waypoint remove ID deletes one.`,
        ]),
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

/** Undoes with a progress bar; Ctrl-C stops it between two pages. */
async function undone<Result extends Undone>(
  { out }: Context,
  isDry: boolean,
  undo: (following: {
    readonly dryRun: boolean
    readonly signal: AbortSignal
    readonly onProgress: (done: number, total: number) => void
  }) => Promise<Result>,
): Promise<void> {
  const controller = new AbortController()
  const stop = (): void => controller.abort()
  process.once('SIGINT', stop)
  const bar = out.progress('Undoing')
  try {
    const { signal } = controller
    const result = await undo({ dryRun: isDry, signal, onProgress: (done, total) => bar.at(done, total) })
    bar.end()
    if (signal.aborted)
      throw new CommandError('interrupted', 'Stopped; run it again to go on', 'STOPPED', { ...result })
    out.result({ ...result, dryRun: isDry }, () => undoneLines(result, isDry))
  } finally {
    bar.end()
    process.off('SIGINT', stop)
  }
}

export const sourceRemove = command({
  name: 'source remove',
  summary: 'Undoes all imports of a source: what nobody touched since becomes tombstones.',
  more: 'Fields that it filled in of other fountains are as before. What people changed stays and is listed. All of it is done by entries of the log. The source stays in source list, since the log names it; importing it again brings back what went. Run it with --dry-run first. Exports and sites that were made before have the data: make new ones.',
  positionals: [{ name: 'NAME', about: 'Its name, as source list prints it' }],
  options: undoOptions,
  examples: [
    { line: 'openfountain source remove "City of Lund" --dry-run', does: 'Shows what would go' },
    {
      line: 'openfountain source remove "City of Lund" --reason "Its licence does not fit"',
      does: 'Undoes its imports',
    },
  ],
  async run({ reason, 'dry-run': isDry, ...options }, [given = ''], context) {
    await withRegistry(options, isDry ? 'read' : 'change', context, async (registry) => {
      const name = await sourceNamed(registry, given)
      await undone(context, isDry, (following) => registry.sources.remove(name, { ...following, reason }))
    })
  },
})

export const importUndo = command({
  name: 'import undo',
  summary: 'Undoes the last import: what nobody touched since is as before.',
  more: 'New fountains become tombstones, edits are taken back, and what it removed comes back. What people changed since stays and is listed. All of it is done by entries of the log. Running it again undoes the import before; --run with the number of the run that undid takes that back. A file that was corrected can be imported again at once: fountains that went come back.',
  options: {
    ...undoOptions,
    source: { type: 'text', value: 'NAME', about: 'The last import of this source; default of any' },
    run: {
      type: 'text',
      value: 'ID',
      about: 'This import, by its number; newer ones of its source go first',
    },
  },
  examples: [
    { line: 'openfountain import undo --dry-run', does: 'Shows what would be undone' },
    { line: 'openfountain import undo --source "City of Lund"', does: 'Undoes the last import of Lund' },
  ],
  async run({ reason, source, run, 'dry-run': isDry, ...options }, _positionals, context) {
    const number = run === undefined ? undefined : numberOf(run)
    await withRegistry(options, isDry ? 'read' : 'change', context, async (registry) => {
      const name = source === undefined ? undefined : await sourceNamed(registry, source)
      await undone(context, isDry, (following) =>
        registry.imports.undo({ ...following, reason, run: number, source: name }),
      )
    })
  },
})
