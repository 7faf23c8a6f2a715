import type { Source } from '@openfountain/core'
import { command } from '../command.ts'
import { databaseOption, withRegistry } from '../settings.ts'
import type { Column } from '../table.ts'

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
