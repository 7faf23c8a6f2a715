import { expect, test } from 'vitest'
import { seasonInTag, seasonPattern, seasonTag } from '../src/season.ts'

test('the days of a season are exactly those of a leap year', () => {
  const padded = (value: number) => String(value).padStart(2, '0')
  for (let month = 0; month <= 13; month++) {
    for (let day = 0; day <= 32; day++) {
      const date = new Date(Date.UTC(2000, month - 1, day))
      const exists =
        date.getUTCFullYear() === 2000 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
      const text = `${padded(month)}-${padded(day)}`
      expect([text, seasonPattern.test(`${text}/10-31`)]).toEqual([text, exists])
      expect([text, seasonPattern.test(`10-31/${text}`)]).toEqual([text, exists])
    }
  }
})

test.each([
  '',
  '04-01',
  '4-1/10-31',
  '04-01/10-31 ',
  '04-01–10-31',
  '04-01/10-31\n',
  '٠٤-01/10-31',
  '2026-04-01/10-31',
])('%j is no season', (text) => {
  expect(seasonPattern.test(text)).toBe(false)
})

test.each([
  ['04-01/10-31', 'Apr 01-Oct 31'],
  ['11-15/02-29', 'Nov 15-Feb 29'],
  ['07-04/07-04', 'Jul 04-Jul 04'],
])('%s is %s in OpenStreetMap, and comes back', (season, tag) => {
  expect(seasonTag(season)).toBe(tag)
  expect(seasonInTag(tag)).toBe(season)
})

test.each([
  ['Apr-Oct', '04-01/10-31'],
  ['Nov-Feb', '11-01/02-29'],
  ['apr 1 - Oct 5', '04-01/10-05'],
  ['yes', undefined],
  ['spring;summer;autumn', undefined],
  ['Apr 31-Oct 31', undefined],
  ['Foo-Bar', undefined],
  ['Apr-Oct: 08:00-20:00', undefined],
])('%j of OpenStreetMap is the season %j', (tag, season) => {
  expect(seasonInTag(tag)).toBe(season)
})
