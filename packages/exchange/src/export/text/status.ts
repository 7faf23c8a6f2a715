import { waypointStates } from '@openfountain/core/status'
import { creditText } from '../credit.ts'
import { counted, lineBefore, textFormat } from '../format.ts'
import { fileSchema, objectSchema } from '../json-schema.ts'

/** Seconds: states age by the day. */
const goodFor = 86_400

/** The states that are known, as of the export, for maps to fetch anew without their tiles. */
export const status = textFormat({
  name: 'status',
  file: 'status.json',
  mediaType: 'application/json',
  title: 'States by waypoint as JSON',
  subject: 'waypoints',
  holds:
    'The state of each waypoint about which something is known, with its first day: `asOf`, `ttl` (seconds that it is good for) and `states` by id.',
  loses: 'Every other column, and waypoints that are `unconfirmed`.',
  jsonSchema: fileSchema({
    asOf: { type: 'string', format: 'date-time' },
    ttl: { type: 'integer' },
    states: {
      type: 'object',
      propertyNames: { pattern: String.raw`^\d+$` },
      additionalProperties: objectSchema(
        { state: { enum: waypointStates }, since: { type: 'string', format: 'date' } },
        ['since'],
      ),
    },
  }),
  *text(edition, tally) {
    yield `{"asOf":${JSON.stringify(edition.snapshot.asOf)},"ttl":${goodFor}${creditText(edition, 'waypoints')},"states":{`
    for (const { id, state, stateSince: since } of counted(edition.stated(), tally))
      yield `${lineBefore(tally)}"${id}":${JSON.stringify({ state, since })}`
    yield '\n}}\n'
  },
})
