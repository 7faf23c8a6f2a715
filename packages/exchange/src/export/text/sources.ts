import { textFormat } from '../format.ts'

/** Where the data came from. */
export const sources = textFormat({
  name: 'sources',
  file: 'sources.json',
  mediaType: 'application/json',
  title: 'Sources as JSON',
  subject: 'waypoints',
  holds: 'Every source with its address, licence, attribution, last import and number of waypoints.',
  loses: 'Nothing.',
  *text(edition, tally) {
    tally.rows = edition.sources.length
    const list = edition.sources.map(
      ({ id, name, url, license, attribution, createdAt, updatedAt, waypoints, lastImport }) =>
        JSON.stringify({ id, name, url, license, attribution, createdAt, updatedAt, waypoints, lastImport }),
    )
    yield `{"sources":[${list.length > 0 ? '\n' : ''}${list.join(',\n')}\n]}\n`
  },
})
