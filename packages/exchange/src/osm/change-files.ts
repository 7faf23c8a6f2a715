import { xmlText } from '@openfountain/core/internal'
import type { OsmChange } from './compare.ts'

type Change<Kind> = Extract<OsmChange, { kind: Kind }>

const tagLines = (tags: Readonly<Record<string, string>>): string =>
  Object.entries(tags)
    .map(([key, value]) => `<tag k="${xmlText(key)}" v="${xmlText(value)}"/>`)
    .join('')

/** Whether a change can be in an osmChange: of ways and relations it would have to have all members. */
export const isOfNode = (change: OsmChange): boolean =>
  change.kind === 'create' || (change.version !== undefined && change.osm.startsWith('node/'))

function nodeText(change: OsmChange): string {
  const { at, tags } = change
  const place = `lat="${at.latitude}" lon="${at.longitude}"`
  if (change.kind === 'create') return `<node id="-${change.id}" ${place}>${tagLines(tags)}</node>\n`
  const kept = Object.entries({ ...tags, ...change.set }).filter(([key]) => !change.unset.includes(key))
  const id = change.osm.slice('node/'.length)
  return `<node id="${id}" version="${change.version}" ${place}>${tagLines(Object.fromEntries(kept))}</node>\n`
}

/**
 * Changes of nodes as osmChange (https://wiki.openstreetmap.org/wiki/OsmChange), to be reviewed in an editor. New nodes have
 * the negative ids of their waypoints.
 */
export function osmChangeText(changes: readonly OsmChange[]): string {
  const block = (name: OsmChange['kind']): string => {
    const nodes = changes.filter((change) => change.kind === name && isOfNode(change)).map(nodeText)
    return nodes.length === 0 ? '' : `<${name}>\n${nodes.join('')}</${name}>\n`
  }
  return `<?xml version="1.0" encoding="UTF-8"?>\n<osmChange version="0.6" generator="openfountain">\n${block('create')}${block('modify')}</osmChange>\n`
}

/**
 * Changes of tags as tasks of a cooperative challenge of MapRoulette, one a line behind a record separator (RFC 8142).
 * https://github.com/osmlab/maproulette3/wiki/Cooperative-Challenges
 */
export function mapRouletteText(changes: readonly OsmChange[]): string {
  return changes
    .filter((change): change is Change<'modify'> => change.kind === 'modify')
    .map(({ id, osm, name, at, set, unset }) => {
      const operations = [
        { operation: 'setTags', data: set },
        ...(unset.length > 0 ? [{ operation: 'unsetTags', data: unset }] : []),
      ]
      const task = {
        type: 'FeatureCollection',
        features: [
          {
            type: 'Feature',
            id: osm,
            geometry: { type: 'Point', coordinates: [at.longitude, at.latitude] },
            properties: { '@id': osm, name, waypoint: id },
          },
        ],
        cooperativeWork: {
          meta: { version: 2, type: 1 },
          operations: [{ operationType: 'modifyElement', data: { id: osm, operations } }],
        },
      }
      return `\u001E${JSON.stringify(task)}\n`
    })
    .join('')
}
