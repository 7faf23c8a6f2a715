import { expect, test } from 'vitest'
import { chosenMedia, chosenVariant } from '../src/http/negotiation.ts'
import { geojson, type WaypointFormat } from '../src/index.ts'
import { stageOfFile } from '@openfountain/testing/server/stage'

const csv: WaypointFormat = { mediaType: 'text/csv', description: 'A table', text: () => ['id\r\n'] }

const stage = await stageOfFile({ formats: [geojson, csv] })

const json = 'application/json; charset=utf-8'
const geo = 'application/geo+json'

test.each([
  [undefined, json],
  ['', json],
  ['*/*', json],
  ['application/*', json],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', json],
  // No available format: JSON is better than a refusal.
  ['text/html', json],
  ['application/geo+json;q=0', json],
  ['*/*;q=0', json],
  ['application/json', json],
  ['application/geo+json', geo],
  ['APPLICATION/GEO+JSON', geo],
  ['text/*', 'text/csv'],
  ['text/csv; charset=utf-8; header=present', 'text/csv'],
  ['text/csv;header="present";q=0.9, application/json;q=0.1', 'text/csv'],
  // The greatest weight, of the most specific range.
  ['application/geo+json;q=0.5, application/json;q=0.4', geo],
  ['application/json;q=0.5, application/geo+json', geo],
  ['application/*;q=0.2, */*;q=0.5', 'text/csv'],
  // The same weight: JSON, then the order of the formats.
  ['application/geo+json, */*', json],
  ['application/geo+json, application/json', json],
  ['application/geo+json;q=0.5, application/json;q=0.5', json],
  ['text/csv, application/geo+json', geo],
  ['application/json;q=0.2, text/csv, */*;q=0.9', 'text/csv'],
  // A malformed weight asks for nothing.
  ['application/geo+json;q=2', json],
  ['application/geo+json;q=2, text/csv;q=0.1', 'text/csv'],
  ['application/json;q=2, application/geo+json;q=0.1', geo],
])('Accept %j gets %s', async (accept, expected) => {
  const { headers } = await stage.raw('HEAD', '/api/waypoints', {
    headers: accept === undefined ? {} : { accept },
  })
  expect(headers.get('content-type')).toBe(expected)
})

test('the first type is the default when nothing is offered beside it', () => {
  expect(chosenMedia('text/csv', ['application/json'])).toBe('application/json')
})

test.each([
  [null, ''],
  ['identity', ''],
  ['br', 'br'],
  ['gzip', 'gz'],
  ['x-gzip', 'gz'],
  ['gzip, deflate, br', 'br'],
  ['GZIP, BR', 'br'],
  ['gzip;q=1.0, br;q=0.9', 'gz'],
  ['br;q=0, gzip', 'gz'],
  ['br;q=0, gzip;q=0', ''],
  ['*', 'br'],
  ['*;q=0', ''],
  ['br;q=0, *', 'gz'],
  ['br;q=0, gzip;q=0, *', ''],
  ['identity, gzip;q=0.1', 'gz'],
  ['br;q=2', ''],
  ['br;q=2, gzip;q=0.1', 'gz'],
  ['deflate, zstd', ''],
])('Accept-Encoding %j gets %j', (accepted, expected) => {
  expect(chosenVariant(accepted)).toBe(expected)
})
