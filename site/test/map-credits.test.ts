import { attributionsOf } from '@openfountain/core/internal'
import { expect, it } from 'vitest'
import { mapCreditsOf } from '../src/data/map-credits.ts'

type Data = Parameters<typeof mapCreditsOf>[0]

const registry = { name: 'Fountains', author: 'Lindenau', license: 'ODbL-1.0' }

function creditsOf(sources: Readonly<Record<string, string>>, { contributed = true, isLive = false } = {}) {
  const listed = Object.entries(sources).map(([name, license], index) => {
    return { id: index + 1, name, license, credit: name }
  })
  const attributions = attributionsOf({ publisher: registry, contributed, sources: listed })
  return mapCreditsOf({ attributions, sources: listed, folder: { registry } } as unknown as Data, isLive)
}

const row = (source?: string, review_count = 0) => ({ source, review_count })

it('a row is credited to its sources, to the publisher where it has none, and to both where it has reviews', () => {
  const { partiesOf, own } = creditsOf({ City: 'CC0-1.0', Club: 'ODbL-1.0' })
  expect(own).toBe(0)
  const rows = [row(), row('Club'), row('City; Club'), row('City', 2)]
  expect(rows.map(partiesOf)).toEqual([[0], [1], [2, 1], [2, 0]])
})

it('names with the joint in them are told from two names, and an unknown one is credited to everybody', () => {
  const { partiesOf } = creditsOf({ 'North; south': 'CC0-1.0', North: 'CC-BY-4.0', West: 'CC0-1.0' })
  expect(partiesOf(row('North; south'))).toEqual([1])
  expect(partiesOf(row('North; south; West'))).toEqual([1, 2])
  expect(partiesOf(row('North; West'))).toEqual([3, 2])
  expect(partiesOf(row('North; east'))).toEqual([0, 1, 2, 3])
})

it('sources that are credited in the same words are one party', () => {
  const sources = { 'OSM of the north': 'ODbL-1.0', 'OSM of the south': 'ODbL-1.0' }
  const { partiesOf, groups } = creditsOf(sources)
  expect(groups.map(({ parties }) => parties.length)).toEqual([2])
  expect(partiesOf(row('OSM of the north; OSM of the south'))).toEqual([1])
})

it('a publisher who has contributed nothing is named last, and where people can contribute alone', () => {
  const sources = { City: 'CC0-1.0' }
  expect(creditsOf(sources, { contributed: false })).toMatchObject({ own: undefined, isOwnLater: false })
  const live = creditsOf(sources, { contributed: false, isLive: true })
  expect(live).toMatchObject({ own: 1, isOwnLater: true })
  expect(live.groups.map(({ license }) => license)).toEqual(['CC0-1.0', 'ODbL-1.0'])
})
