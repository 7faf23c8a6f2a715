import fc from 'fast-check'
import { hostilePieces } from '../hostile-values.ts'
import { ring, roles } from './stage.ts'

const nastyTexts = [
  hostilePieces,
  ['', ' ', '\u0000', 'a\u0000b', '\ud800', '\udfff\ud800', '2026-01-01T00:00:00Z', 'null', '-0'],
  ['" OR 1=1 --', 'name:* NEAR(a b) AND NOT "', '%_\\', '<script>alert(1)</script>'],
  ['=HYPERLINK("http://x")', '../../etc/passwd', '..%2f..%2fetc%2fpasswd', 'author@example.org'],
  ['http://a b', 'https://user:pass@example.org/', 'a@b', '👩‍👩‍👧‍👦'.repeat(40), 'ﷺ'.repeat(70)],
  ['e\u0301'.repeat(300), 'x'.repeat(2001), 'x'.repeat(40_000), '9'.repeat(400)],
].flat()

const nastyNumbers = [
  [0, -0, 1, -1, 1.5, 90, 90.000001, 180, -180.1, 5, 6],
  [2 ** 31, 2 ** 53, 2 ** 53 + 2, -(2 ** 63), 1e308, 5e-324],
].flat()

const text = fc.oneof(
  fc.constantFrom(...nastyTexts),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
)
const number = fc.oneof(fc.constantFrom(...nastyNumbers), fc.double(), fc.integer())

const ofJavaScript = ['__proto__', 'constructor', 'toString', 'id']

/** Deep objects and arrays, with member names that are special in JavaScript. */
const anything: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    text,
    number,
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(fc.oneof(fc.constantFrom(...ofJavaScript), text), tie('value'), { maxKeys: 4 }),
  ),
})).value

const sound: Readonly<Record<string, unknown>> = {
  name: 'Harbour',
  latitude: 55.6,
  longitude: 13,
  description: 'By the fish market',
  amenities: ['tap', 'Bottle Filler'],
  image: 'https://example.org/fountain.jpg',
  maintainer: 'City',
  region: 'Lund',
  approved: true,
  verified: true,
  addedByUserId: 'author',
  bubblerId: 1,
  rating: 4,
  kind: 'works',
  ids: [1],
  season: '04-01/10-31',
  reason: 'Winter',
  comment: 'Cold',
  email: 'new@example.org',
  id: 1,
  color: '#00ff00',
  coordinates: [ring],
  properties: { note: 'x' },
  active: true,
}

/** A body with known members, most of them valid, some hostile, so that some requests pass validation. */
const halfSound = fc
  .tuple(
    fc.subarray(Object.keys(sound), { minLength: 4 }),
    fc.dictionary(fc.constantFrom(...Object.keys(sound), '__proto__', 'xp', 'isModerator'), anything, {
      maxKeys: 3,
    }),
  )
  .map(([names, hostile]) => ({
    ...Object.fromEntries(names.map((name) => [name, sound[name]])),
    ...hostile,
  }))

const rawBodies = [
  '',
  '{',
  'null',
  '[]',
  '"text"',
  '12',
  '{"__proto__":{"name":"x"},"name":"Spring","latitude":1,"longitude":1}',
  '{"constructor":{"prototype":{"x":1}}}',
  '{"name":"Spring","latitude":1e400,"longitude":1}',
  '{"name":"\\ud800","latitude":1,"longitude":1}',
  '{"name":"\\u0000","latitude":1,"longitude":1}',
  `{"name":"Spring","latitude":1,"longitude":1,"amenities":${'['.repeat(5000)}${']'.repeat(5000)}}`,
  `{"name":"Lund","coordinates":[],"properties":${'{"a":'.repeat(3000)}1${'}'.repeat(3000)}}`,
  '{"name":1,"name":"Spring","latitude":1,"longitude":1}',
]

const body = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.constantFrom('{"name":"Spring","latitude":1,"longitude":1}', '{"bubblerId":1,"rating":4}'),
  },
  { weight: 6, arbitrary: halfSound.map((value) => JSON.stringify(value)) },
  { weight: 2, arbitrary: anything.map((value) => JSON.stringify(value) ?? 'null') },
  { weight: 2, arbitrary: fc.constantFrom(...rawBodies) },
  // Larger than the limit of bodies. One of a dozen, so that even a short run has some that reach the size check.
  { weight: 3, arbitrary: fc.constant(`{"name":"${'x'.repeat(70_000)}"}`) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => new Uint8Array(bytes)) },
)

const ids = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: 0, max: 60 }).map(String) },
  { weight: 2, arbitrary: text },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '1.json',
      '01',
      '+1',
      '1.0',
      '1e0',
      '0x1',
      '9'.repeat(30),
      '-1',
      'author',
      'api',
    ),
  },
)

const encoded = (part: string): string => encodeURIComponent(part.toWellFormed()).replace(/^\.+$/, '%2E')

const words = (text: string): string[] => text.split(' ')

const queryNames = words(
  'bbox near radius amenity region approved verified updatedSince limit after q offset userId bubblerId action order id ' +
    'faults status service_code service_request_id start_date page page_size',
)
const soundValues = words(
  '12,55,14,56 170,-10,-170,10 55.7,13.2 500 tap Lund true false 2026-01-01 5 100 0 market author created asc open,closed broken,gone 1,2,3',
)

const query = fc
  .array(
    fc.tuple(
      fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...queryNames) }, { weight: 1, arbitrary: text }),
      fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...soundValues) }, ids, number.map(String), text),
    ),
    { maxLength: 4 },
  )
  .map((pairs) => {
    const joined = pairs.map(([name, value]) => `${encoded(name)}=${encoded(value.slice(0, 5000))}`).join('&')
    return joined === '' ? '' : `?${joined}`
  })

const headers = fc.dictionary(
  fc.constantFrom(...words('accept accept-encoding api-version if-none-match origin range content-type')),
  fc.constantFrom(
    'application/json',
    'application/geo+json',
    'text/csv;q=0.5, */*;q=0.1',
    'gzip, br;q=0.1',
    'br;q=x,*;q=0',
    '6',
    '"a", W/"b", *',
    '*',
    'https://evil.example',
    'null',
    'bytes=0-',
    'bytes=9-1,5-',
    'text/plain; charset=latin1',
    'application/json; charset=utf-16',
  ),
  { maxKeys: 3 },
)

/** Requests to the declared routes, and to others; methods that fit, and others. */
export function hostileRequests(routes: readonly (readonly [method: string, route: string])[]) {
  const route = fc.oneof(
    { weight: 14, arbitrary: fc.constantFrom(...routes) },
    {
      weight: 1,
      arbitrary: fc.tuple(
        fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'),
        fc.oneof(
          fc.constantFrom(...routes.map(([, path]) => path)),
          text.map((part) => `/api/${encoded(part)}`),
        ),
      ),
    },
  )
  return fc
    .record({
      route,
      id: ids,
      query,
      as: fc.constantFrom(...roles),
      headers,
      body,
      jsonTyped: fc.integer({ min: 0, max: 9 }).map((die) => die > 0),
    })
    .map(({ route: [method, template], id, query, as, headers, body, jsonTyped }) => {
      const path = template.replaceAll(/\{\w+\}/g, () => encoded(id.slice(0, 3000)) || '%20')
      // The whole list is requested in pages here, so that ten thousand requests stay fast.
      const narrowed = template === '/api/waypoints' ? `${query}${query === '' ? '?' : '&'}after=0` : query
      const carries = method !== 'GET' && method !== 'HEAD'
      return {
        method,
        path: path + narrowed,
        as,
        headers: { ...(carries && jsonTyped && { 'content-type': 'application/json' }), ...headers },
        body: carries ? body : undefined,
      }
    })
}
