import { token, user, type Actor } from '@openfountain/core'
import { ring } from '@openfountain/testing/registry'
import { expect, test } from 'vitest'
import { createArea, deleteArea, restoreArea } from '../../src/decide/area.ts'
import { ensureSource } from '../../src/decide/import-run.ts'
import type { AreaState, SourceFacts } from '../../src/log/nouns.ts'
import { accepted, earlier, ending, now, occasion, people, World } from './world.ts'

const coordinates = [ring] as unknown as AreaState['coordinates']
const area: AreaState = {
  id: 4,
  name: 'Lund',
  color: '#ff8c00',
  coordinates,
  properties: {},
  active: true,
  createdAt: earlier,
  updatedAt: earlier,
}
const given = { name: 'Lund', coordinates }

const adding = (actor: Actor, input: unknown) =>
  new World({ user: people, area: [area] }).decide(createArea(occasion(actor), input))
const deleting = (actor: Actor, id = 4, state = area) =>
  new World({ user: people, area: [state] }).decide(deleteArea(occasion(actor), id))
function restoring(actor: Actor, isRemoved = true) {
  const world = new World({ user: people, area: [area] })
  if (isRemoved) world.append([{ subject: 'area', subjectId: 4, action: 'deleted', fields: {} }], 'api')
  return world.decide(restoreArea(occasion(actor), 4))
}

test('areas: who writes is asked before what', () => {
  expect(ending(adding(token('nobody'), {}))).toBe('UNAUTHORIZED')
  expect(ending(adding(user('ada'), {}))).toBe('UNAUTHORIZED')
  expect(ending(adding(token(), {}))).toBe('INVALID_INPUT')
  const beyond = { ...given, coordinates: [ring.with(1, [999, 55])] }
  expect(ending(adding(token(), beyond))).toBe('INVALID_COORDINATES')
})

test('areas: a new one has the next id, defaults and a colour in lower case', () => {
  const { entries, by, answer } = accepted(
    adding(token(), { name: 'Malmö', coordinates, color: '#ABCDEF', description: '' }),
  )
  const fields = { name: 'Malmö', color: '#abcdef', coordinates, properties: {}, active: true }
  expect(by).toBe('api')
  expect(entries).toEqual([{ subject: 'area', subjectId: 5, action: 'created', fields }])
  expect(answer).toEqual({ id: 5, ...fields, createdAt: now, updatedAt: now })
})

test('areas: deleting answers the area as it was, once', () => {
  const { entries, answer } = accepted(deleting(token('ada')))
  expect(entries).toEqual([{ subject: 'area', subjectId: 4, action: 'deleted', fields: {} }])
  expect(answer).toEqual(area)
  expect(ending(deleting(token(), 9))).toBe('NOT_FOUND')
  expect(ending(deleting(token(), 4, { ...area, deletedAt: earlier }))).toBe('NOT_FOUND')
})

test('areas: restoring makes a removed one as it was, under its id', () => {
  const { entries, answer } = accepted(restoring(token()))
  const fields = { name: 'Lund', color: '#ff8c00', coordinates, properties: {}, active: true }
  const links = { restores: 1 }
  expect(entries).toEqual([{ subject: 'area', subjectId: 4, action: 'created', fields, links }])
  expect(answer).toEqual({ ...area, updatedAt: now })
  expect(ending(restoring(token(), false))).toBe('NOT_FOUND')
})

const lund = { name: 'City of Lund', license: 'CC0-1.0', url: 'https://lund.example' }
const source: SourceFacts = { id: 2, ...lund, createdAt: earlier, updatedAt: earlier }
const ensuring = (given: { name: string; license: string; url?: string; attribution?: string }) =>
  accepted(new World({ source: [source] }).decide(ensureSource(given)))
const terms = { attribution: '© Lund', license: 'ODbL-1.0' }

test.for<[string, Parameters<typeof ensuring>[0], number, object[]]>([
  ['a new name', { name: 'Malmö', license: 'x' }, 3, [{ subjectId: 3, action: 'created' }]],
  ['the same terms write nothing', { name: 'City of Lund', license: 'CC0-1.0' }, 2, []],
  ['what changes is written alone', { ...lund, ...terms }, 2, [{ action: 'edited', fields: terms }]],
])('sources: %s', ([, given, id, entries]) => {
  const decided = ensuring(given)
  expect(decided.answer).toBe(id)
  expect(decided.entries).toHaveLength(entries.length)
  expect(decided.entries).toMatchObject(entries)
})
