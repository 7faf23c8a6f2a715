import { expect, test } from 'vitest'
import { dated, imported, source } from './fixture.ts'

const rows =
  'id,name,city,access,lat,lon\na,Löwe,Lund,private,47.1,8\nb,Löwe,,yes,47.2,8\nc,Bär,Lund,,47.3,8\n'

test('what to look at is told with its rows, and the conditions of the licence', async () => {
  const options = { source: { ...source, name: 'Lund', license: 'CC-BY-4.0' } }
  const { report } = await imported(rows, options)
  expect(report.attention).toEqual([
    { code: 'NO_DAY', rows: 3, first: 1 },
    { code: 'PRIVATE', rows: 1, first: 1 },
    { code: 'NO_TOWN', rows: 1, first: 2 },
    { code: 'NAMES_REPEATED', rows: 2, names: [{ name: 'Löwe', rows: 2 }] },
    { code: 'LICENSE_ASKS', license: 'CC-BY-4.0', asks: ['attribution'], attribution: 'Lund' },
  ])
  const known = await imported(rows, {
    ...dated,
    place: 'Lund',
    source: { name: 'Lund', license: 'CC0-1.0' },
  })
  expect(known.report.attention.map(({ code }) => code)).toEqual(['PRIVATE', 'NAMES_REPEATED'])
})
