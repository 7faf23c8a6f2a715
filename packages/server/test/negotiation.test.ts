import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chosenMedia, chosenVariant } from '../src/http/negotiation.ts'
import { geojson, type WaypointFormat } from '../src/index.ts'
import { openStage, type Stage } from './stage.ts'

const csv: WaypointFormat = { mediaType: 'text/csv', description: 'A table', text: () => ['id\r\n'] }

let stage: Stage
beforeAll(async () => {
  stage = await openStage({ formats: [geojson, csv] })
})
afterAll(() => stage.close())

describe('Accept', () => {
  test.each([
    [undefined, 'application/json; charset=utf-8'],
    ['', 'application/json; charset=utf-8'],
    ['*/*', 'application/json; charset=utf-8'],
    ['text/html', 'application/json; charset=utf-8'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'application/json; charset=utf-8'],
    ['application/*', 'application/json; charset=utf-8'],
    ['application/geo+json', 'application/geo+json'],
    ['APPLICATION/GEO+JSON', 'application/geo+json'],
    ['application/geo+json;q=0.5, application/json;q=0.4', 'application/geo+json'],
    ['application/geo+json ; q=0.1 , application/json', 'application/json; charset=utf-8'],
    ['text/*', 'text/csv'],
    ['text/csv; charset=utf-8; header=present', 'text/csv'],
    ['text/csv;header="present";q=0.9, application/json;q=0.1', 'text/csv'],
    ['application/json;q=0.5, */*', 'application/geo+json'],
    ['application/json;q=0, application/*;q=0.1', 'application/geo+json'],
    ['application/geo+json;q=0', 'application/json; charset=utf-8'],
    ['application/geo+json;q=nonsense, text/csv;q=0.1', 'text/csv'],
    ['application/geo+json, application/json', 'application/geo+json'],
    ['application/json, application/geo+json', 'application/json; charset=utf-8'],
    ['*/*, application/geo+json', 'application/geo+json'],
    [',,;;', 'application/json; charset=utf-8'],
  ])('%j gets %s', async (accept, expected) => {
    const { headers } = await stage.raw('HEAD', '/api/waypoints', {
      headers: accept === undefined ? {} : { accept },
    })
    expect(headers.get('content-type')).toBe(expected)
  })

  test('the first type is the default when nothing is offered beside it', () => {
    expect(chosenMedia('text/csv', ['application/json'])).toBe('application/json')
  })
})

describe('Accept-Encoding', () => {
  test.each([
    [null, ''],
    ['', ''],
    ['identity', ''],
    ['br', 'br'],
    ['gzip', 'gz'],
    ['x-gzip', 'gz'],
    ['gzip, deflate, br', 'br'],
    ['GZIP, BR', 'br'],
    ['gzip;q=1.0, br;q=0.9', 'gz'],
    ['gzip; q=0.5 , br; q=0.5', 'br'],
    ['br;q=0, gzip', 'gz'],
    ['br;q=0, gzip;q=0', ''],
    ['*', 'br'],
    ['*;q=0', ''],
    ['br;q=0, *', 'gz'],
    ['gzip;q=0, x-gzip;q=0, *', 'br'],
    ['br;q=0, gzip;q=0, *', ''],
    ['gzip, *;q=0', 'gz'],
    ['identity, gzip;q=0.1', 'gz'],
    ['br;q=nonsense', ''],
    ['deflate, zstd', ''],
  ])('%j gets %j', (accepted, expected) => {
    expect(chosenVariant(accepted)).toBe(expected)
  })
})
