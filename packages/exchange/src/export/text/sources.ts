import { sourceFields, sourceFigures } from '@openfountain/core/fields'
import { jsonOf } from '../tables/table.ts'
import { textFormat } from '../format.ts'

const sourceJson = jsonOf({ ...sourceFields, ...sourceFigures })

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
    const list = edition.sources.map((source) => JSON.stringify(sourceJson(source)))
    yield `{"sources":[${list.length > 0 ? '\n' : ''}${list.join(',\n')}\n]}\n`
  },
})
