import { writeFile } from 'node:fs/promises'
import type { NotProposed } from '@openfountain/exchange'
import { rethrown } from '../failure.ts'
import { inert } from '../inert.ts'
import { judgementText, quoted } from '../licence-advice.ts'
import { text } from '../options.ts'
import { checkFolders } from '../output-files.ts'
import { row } from '../row.ts'
import { databaseOption, registryOptions } from '../settings.ts'
import { tableLines } from '../table.ts'
import { importFailure } from '../wording/import.ts'
import { permittedOf, termsOptions } from './export.ts'

const reasons: Readonly<Record<NotProposed, string>> = {
  licence: 'licence',
  'of-a-source': 'of a source',
  'was-there': 'was at OpenStreetMap',
  'near-another': 'near another',
  'not-for-use': 'gone or private',
}

const shownRows = 100

const compare = row('osm compare', {
  summary: 'Compares the registry with OpenStreetMap, and proposes what people changed here.',
  more: 'FILE is JSON of Overpass, XML of OpenStreetMap or .osm.pbf, of which the box around its fountains is compared: by the references of sources, else by place. Nothing is uploaded, and nothing is written here. Only what people of this registry changed or added is proposed, where the file still says what was imported; what OpenStreetMap cannot take for its licence is left out. The guide about OpenStreetMap tells what to do before an upload.',
  places: { file: 'The file of OpenStreetMap' },
  options: {
    ...databaseOption,
    osc: text('FILE', 'Writes new and changed nodes as osmChange, to be reviewed in an editor'),
    maproulette: text(
      'FILE',
      'Writes changes of tags as cooperative tasks of MapRoulette, line by line (RFC 8142)',
    ),
    permitted: termsOptions.permitted,
    ...registryOptions,
  },
  examples: {
    'osm compare lund.osm.pbf': 'Tells what is the same, what differs, and what is only here or only there',
    'osm compare overpass.json --osc review.osc --maproulette tasks.geojson':
      'Writes what people changed here for review in an editor and at MapRoulette',
  },
  check: ({ osc, maproulette }) => checkFolders({ osc, maproulette }),
  async call(registry, { file, osc, maproulette, permitted }) {
    const { compareWithOsm, isOfNode, mapRouletteText, osmChangeText } =
      await import('@openfountain/exchange')
    const named = await permittedOf(permitted, registry)
    const { changes, ...found } = await compareWithOsm(registry, { file, permitted: named }).catch(
      rethrown(importFailure),
    )
    if (osc !== undefined) await writeFile(osc, osmChangeText(changes))
    if (maproulette !== undefined) await writeFile(maproulette, mapRouletteText(changes))
    const modified = changes.filter(({ kind }) => kind === 'modify').length
    return {
      ...found,
      proposed: { created: changes.length - modified, modified },
      // Of ways and relations, and of nodes without a version, an osmChange cannot change the tags alone.
      notInOsc: changes.filter((change) => !isOfNode(change)).length,
    }
  },
  text({ counts, rows, leftOut, proposed, notInOsc }, { osc, maproulette }) {
    const news = rows.filter(({ kind }) => kind !== 'same')
    return [
      ...tableLines(
        news.slice(0, shownRows).map(({ tags = {}, notProposed, ...each }) => ({
          ...each,
          tags: Object.entries(tags)
            .map(([key, [here, there]]) => `${key}=${here ?? '–'} (${there ?? '–'})`)
            .join(' '),
          proposed: notProposed === undefined ? each.proposed !== undefined : reasons[notProposed],
        })),
        {
          KIND: 'kind',
          ID: 'id',
          OSM: 'osm',
          NAME: 'name',
          'HERE (THERE)': 'tags',
          PROPOSED: ({ proposed: is }) => (is === true ? 'yes' : is === false ? '' : is),
        },
      ),
      ...(news.length > shownRows ? [`… and ${news.length - shownRows} more, which --json lists`] : []),
      `${counts.same} are the same, ${counts.differs} differ, ${counts['only-here']} are only here, ${counts['only-there']} only there, ${counts.unsure} may be the same`,
      ...leftOut.map(
        (each) =>
          `Left out for the licence: ${each.waypoints} of ${quoted(each.name)}: ${inert(each.license)}, ${judgementText(each)}`,
      ),
      `Proposed: ${proposed.created} new, ${proposed.modified} changed`,
      ...(osc === undefined
        ? []
        : [
            `Written to ${inert(osc)}${notInOsc === 0 ? '' : `, without ${notInOsc} ways, relations and nodes without a version: ask Overpass for "out meta"`}`,
          ]),
      ...(maproulette === undefined ? [] : [`Written to ${inert(maproulette)}`]),
    ]
  },
})

export const commands = [compare]
