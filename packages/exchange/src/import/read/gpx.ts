import { vocabulary } from '@openfountain/core/vocabulary'
import { drinkableLabels } from '../../export/text/gpx.ts'
import { dayIn } from '../understand/values.ts'
import type { FileFacts, RowBatches, SourceRow } from './source-row.ts'
import { readXml } from './xml-rows.ts'

/** Elements of a waypoint that only hold others, which are read. */
const containers = new Set(['extensions', 'link', 'waypoint'])

/**
 * The waypoints of a GPX text (https://www.topografix.com/GPX/1/1/), with or without its namespace: each child becomes a field
 * by its name, extensions by theirs. Routes and tracks are counted in a note. Amenities of this project's own files, and
 * whether the water is for drinking, are read from the last line of the description.
 */
export async function* readGpx(chunks: AsyncIterable<string>, facts: FileFacts): RowBatches {
  const rows: SourceRow[] = []
  let [row, ways] = [0, 0]
  let waypoint:
    | { readonly lat: string; readonly lon: string; readonly fields: Record<string, unknown> }
    | undefined
  yield* readXml(chunks, rows, {
    open(name, { creator, lat = '', lon = '', href }) {
      if (name === 'gpx' && creator === 'openfountain') facts.own = true
      if (name === 'rte' || name === 'trk') ways += 1
      if (name === 'wpt') waypoint = { lat, lon, fields: {} }
      else if (name === 'link' && waypoint !== undefined && href !== undefined)
        waypoint.fields['link'] ??= href
    },
    close(name, text) {
      if (waypoint === undefined) {
        // Of the metadata; GPX 1.0 has it at the top. Times of tracks are not of the file.
        if (name === 'time' && ways === 0) facts.published ??= dayIn([text])
        return
      }
      if (name !== 'wpt') {
        if (text !== '' && !containers.has(name)) waypoint.fields[name] ??= text
        return
      }
      row += 1
      const { lat, lon } = waypoint
      const fields = facts.own === true ? ownFields(waypoint.fields) : waypoint.fields
      const coordinates = [lon, lat].map((text) => (text.trim() === '' ? null : Number(text)))
      const original = () => JSON.stringify({ lat, lon, ...fields })
      rows.push({ row, fields, geometry: { type: 'Point', coordinates }, original })
      waypoint = undefined
    },
  })
  if (ways > 0) facts.notes.push({ code: 'WAYS_NOT_READ', ways })
}

const amenityOfLabel = new Map<string, string>(
  Object.entries(vocabulary).map(([key, { label }]) => [label, key]),
)
const drinkableOfLabel = new Map<string, string>(
  Object.entries(drinkableLabels).map(([value, label]) => [label, value]),
)

/** The fields of a waypoint that this project's GPX export wrote. */
function ownFields({ name, desc, link }: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const lines = typeof desc === 'string' ? desc.split('\n') : []
  const labels = lines.at(-1)?.split(', ') ?? []
  const drinkable = drinkableOfLabel.get(labels.at(-1) ?? '')
  const amenities = labels
    .slice(0, drinkable === undefined ? undefined : -1)
    .map((label) => amenityOfLabel.get(label) ?? label)
  const hasLabels = drinkable !== undefined || labels.some((label) => amenityOfLabel.has(label))
  const description = (hasLabels ? lines.slice(0, -1) : lines).join('\n')
  return {
    name,
    ...(description === '' ? {} : { description }),
    ...(hasLabels ? { amenities } : {}),
    ...(drinkable === undefined ? {} : { drinkable }),
    ...(link === undefined ? {} : { image: link }),
  }
}
