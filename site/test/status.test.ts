import type { StatusFacts } from '@openfountain/core/status'
import type { LoggedEntry } from '@openfountain/core'
import { expect, it } from 'vitest'
import { loadLanguages } from '../src/build/languages.ts'
import { Knowledge } from '../src/data/knowledge.ts'
import { openingNow } from '../src/hours/open-now.ts'
import { parseHours } from '../src/hours/parse.ts'
import { seasonWords } from '../src/hours/season.ts'
import { shownHours } from '../src/hours/shown.ts'
import { hoursWords } from '../src/hours/words.ts'
import { turnFile, turnsOf } from '../src/map/build/turns.ts'
import { turnsUntil } from '../src/map/data/turns.ts'
import { formatFor, type Messages } from '../src/messages.ts'
import { readStages, stageOn, writeStages, writeStates, type Stage } from '../src/status/stage.ts'
import { stagesOf } from '../src/status/timeline.ts'
import { aged, ago, dated, statusText } from '../src/status/words.ts'

const languages = await loadLanguages(['en', 'de', 'fr'])
const [english] = languages
if (english === undefined) throw new Error('English is missing')
function stringsOf({ status, hours, site }: Messages): Readonly<Record<string, string>> {
  return Object.fromEntries([
    ['site.labelled', site.labelled],
    ...Object.entries(status).map(([key, text]) => [`status.${key}`, text]),
    ...Object.entries(hours).map(([key, text]) => [`hours.${key}`, text]),
  ])
}

const inEach = (words: (messages: Messages, tag: string) => string | undefined) =>
  Object.fromEntries(languages.map(({ tag, messages }) => [tag, words(messages, tag)]))

type Kind = 'works' | 'broken' | 'dry'
const person = (id: number, kind: Kind, observedAt: string) => {
  return { id, kind, observedAt, near: true, observer: `person ${id}` }
}

const on = (facts: StatusFacts, from: string, day: string) => stageOn(stagesOf(facts, from), day)

it('what is known of a fountain ages by itself: it does not work beyond the lifetime of what people said', () => {
  const facts = { observations: [person(1, 'works', '2026-11-18'), person(2, 'works', '2026-11-20')] }
  expect(stagesOf(facts, '2026-11-22')).toEqual([
    { state: 'works', since: '2026-11-18', confirmed: '2026-11-20', people: 2, until: '2027-05-17' },
    { state: 'works', since: '2026-11-20', confirmed: '2026-11-20', people: 1, until: '2027-05-19' },
    { state: 'unconfirmed', confirmed: '2026-11-20', people: 0 },
  ])
})

it('what is known of a fountain turns with the season, in which it is not broken but off, and says when it is back', () => {
  const facts = { season: '03-15/10-31', observations: [person(1, 'dry', '2026-11-20')] }
  expect(on(facts, '2026-11-22', '2026-11-22')).toMatchObject({ state: 'off', back: '2027-03-15' })
  expect(on(facts, '2026-11-22', '2027-03-14')).toMatchObject({ state: 'off' })
  expect(on(facts, '2026-11-22', '2027-03-15')).toMatchObject({ state: 'unconfirmed' })
  expect(on(facts, '2026-11-22', '2027-12-01')).toMatchObject({ state: 'off', back: '2028-03-15' })
  // After some years the season may have become another.
  expect(on({ season: facts.season }, '2026-11-22', '2030-12-01')).toBeUndefined()
})

it('what is known of a fountain does not count a source that looked as a person', () => {
  const sources = [{ seen: '2026-11-20', checked: '2026-11-19' }]
  expect(stagesOf({ sources }, '2026-11-22')[0]).toMatchObject({ state: 'works', people: 0 })
  const observations = [person(1, 'works', '2026-11-20')]
  expect(stagesOf({ sources, observations }, '2026-11-22')[0]).toMatchObject({ state: 'works', people: 1 })
})

it('what is known of a fountain is the same stage for data of another day, so that pages need not be made again', () => {
  const facts = { season: '03-15/10-31', observations: [person(1, 'works', '2026-05-01')] }
  expect(stagesOf(facts, '2026-11-22')).toEqual(stagesOf(facts, '2026-12-22'))
})

it('stages in an attribute of a page are read as they were written, and as many as there are states, where nothing else is needed', () => {
  const facts = { season: '03-15/10-31', observations: [person(1, 'works', '2026-11-20')] }
  const stages = stagesOf(facts, '2026-11-22')
  const all: Stage[] = [...stages, { state: 'works', people: 1, contradicted: true }]
  expect([all, []].map((some) => readStages(writeStages(some)))).toEqual([all, []])
  const states = readStages(writeStates([{ state: 'works', people: 2, until: '2027-01-01' }, ...stages]))
  expect(states.map(({ state }) => state).slice(0, 3)).toEqual(['works', 'unconfirmed', 'off'])
  expect(stageOn(states, '2026-12-24')?.state).toBe('works')
})

const morning = '2026-11-20T08:00:00.000Z'
type Entry = readonly [subject: string, subjectId: number, action: string, fields?: object, at?: string]
const stagesAfter = (...entries: readonly Entry[]) => {
  const knowledge = new Knowledge()
  const rest = { by: 'observer', links: {}, awards: [], seed: null }
  for (const [index, [subject, subjectId, action, fields = {}, at = morning]] of entries.entries()) {
    const entry = { id: index + 1, at, subject, subjectId, action, fields, ...rest }
    knowledge.entry(entry as unknown as LoggedEntry)
  }
  return (id: number, row: object = {}) =>
    knowledge.stagesOf({ id, last_confirmed: '2026-11-20', ...row }, '2026-11-22')[0]?.state
}
const observed = (id: number, waypoint: number, kind: string): Entry => {
  const fields = { waypoint, kind, observedAt: '2026-11-20', near: true, observer: `hash ${id}` }
  return ['observation', id, 'created', fields]
}
const created = (waypoint: number, via: object, at = morning): Entry =>
  ['waypoint', waypoint, 'created', { name: 'x', via }, at] as const

it('what the log says of people and sources follows fountains that are merged, and forgets what was deleted', () => {
  const state = stagesAfter(
    created(1, { source: 1, state: 'broken' }),
    created(2, { source: 1 }),
    observed(3, 3, 'broken'),
    observed(4, 4, 'works'),
    observed(5, 5, 'works'),
    ['observation', 5, 'deleted'],
    ['observation', 4, 'moved', { waypoint: 6 }],
    ['record', 2, 'edited', { state: 'off' }],
    ['record', 1, 'delisted'],
  )
  const states = [undefined, 'off', 'reported', undefined, undefined, 'works']
  expect(states.map((_, index) => state(index + 1))).toEqual(states)
})

it('what the log says of a source is as new as its last complete import, as old as what it published, and begins on the day that it says', () => {
  const listed = (said: object, published: object, at = morning) => {
    const started: Entry = ['import', 1, 'started', { source: 7 }, at]
    const finished: Entry = ['import', 1, 'finished', { complete: true, ...published }]
    return stagesAfter(started, created(1, { source: 7, ...said }, at), finished)(1)
  }
  expect(listed({ state: 'off' }, {}, '2026-05-01T00:00:00.000Z')).toBe('off')
  expect(listed({ state: 'broken' }, { published: '2026-11-01' })).toBe('broken')
  expect(listed({ state: 'broken' }, { published: '2025-11-01' })).toBeUndefined()
  expect(listed({ state: 'broken' }, {}, '2026-09-01T00:00:00.000Z')).toBe('broken')
  const later = { state: 'broken', since: '2026-11-23' }
  expect(listed(later, { published: '2026-11-01' })).toBe('unconfirmed')
})

it('what the log says is completed by what the export says besides', () => {
  const state = stagesAfter(observed(1, 1, 'works'))
  expect(state(1, { state: 'reported', state_since: '2026-11-21' })).toBe('reported')
  expect(state(2, { state: 'off', last_listed: '2026-11-20' })).toBe('off')
  expect(state(3, { state: 'unconfirmed' })).toBeUndefined()
})

it('states of tiles that are not theirs any more turn on their days, without those that the map draws alike', () => {
  const file = turnFile([
    ...turnsOf(1, 'off', stagesOf({ season: '03-15/10-31' }, '2026-11-22')),
    ...turnsOf(2, 'works', stagesOf({ observations: [person(1, 'works', '2026-11-20')] }, '2026-11-22')),
    ...turnsOf(3, 'broken', []),
  ])
  expect(file[0]).toEqual(['', '', [3]])
  expect([...turnsUntil(file, '2026-11-22')]).toEqual([[3, undefined]])
  expect([...turnsUntil(file, '2027-03-15').keys()]).toEqual([3, 1])
  expect(turnsUntil(file, '2027-11-01').get(1)).toBe('off')
})

const works: Stage = { state: 'works', confirmed: '2026-11-20', people: 2 }
it.each<[Stage, string[]]>([
  [
    works,
    [
      'Works: confirmed 3 days ago by 2 people',
      'Funktioniert: vor 3 Tagen von 2 Personen bestätigt',
      'Fonctionne\u00a0: confirmé il y a 3 jours par 2 personnes',
    ],
  ],
  [
    { state: 'off', since: '2026-11-01', people: 0, back: '2027-03-15' },
    [
      'Off for the season until March 15, 2027',
      'Für die Saison abgestellt bis 15. März 2027',
      'Fermée pour la saison jusqu’au 15 mars 2027',
    ],
  ],
])(
  'the words about a fountain say since when it works, how many people say so, and until when it is off: %o',
  (stage, words) => {
    const said = inEach((messages, tag) => {
      const found = statusText(stringsOf(messages), messages.count, formatFor(tag), stage)
      return aged(formatFor(tag), found, '2026-11-23')
    })
    expect(Object.values(said)).toEqual(words)
  },
)

const contradicted: Stage = { ...works, people: 1, contradicted: true }
const broken: Stage = { state: 'broken', since: '2026-11-20', people: 0 }
const problems = 'Works: confirmed on November 20, 2026 by 1 person · others reported a problem'
it.each<[Stage, string]>([
  [contradicted, problems],
  [broken, 'Out of order according to its source, on November 20, 2026'],
  [{ ...broken, state: 'reported', people: 1 }, 'A problem was reported on November 20, 2026'],
  [{ state: 'unconfirmed', people: 0 }, 'Not known whether it works'],
])(
  'the words about a fountain name the day where no script says how long ago that was: %o',
  (stage, words) => {
    const { messages, format } = english
    const said = statusText(stringsOf(messages), messages.count, format, stage)
    expect(dated(stringsOf(messages), format, said)).toBe(words)
  },
)

it('the words about a fountain tell an age in days, weeks, months and years', () => {
  const days = ['2026-11-22', '2026-11-21', '2026-11-10', '2026-11-01', '2026-06-01', '2023-01-01']
  const ages = 'today, yesterday, 12 days ago, 3 weeks ago, 5 months ago, 3 years ago'
  expect(days.map((day) => ago('en', day, '2026-11-22')).join(', ')).toBe(ages)
})

const inWords = (text: string) =>
  inEach((messages, tag) => hoursWords(stringsOf(messages), formatFor(tag), text))

it('opening hours are written in words in each language', () => {
  const always = { en: 'Open at all times', de: 'Durchgehend geöffnet', fr: 'Ouverte en permanence' }
  expect(inWords('24/7')).toEqual(always)
  expect(inWords('Apr-Oct: Mo-Fr 07:00-20:00; PH off')).toEqual({
    en: 'April to October, Monday to Friday: 7:00 AM–8:00 PM · public holidays: closed',
    de: 'April bis Oktober, Montag bis Freitag: 07:00–20:00 · Feiertage: geschlossen',
    fr: 'Avril à octobre, lundi à vendredi\u00a0: 07:00–20:00 · jours fériés\u00a0: fermée',
  })
  expect(inWords('Mar 15-Nov 15 sunrise-sunset')['en']).toBe('March 15 to November 15: sunrise–sunset')
  const winter = 'November bis März: geschlossen · täglich: ganztägig'
  expect(inWords('Nov-Mar off; 00:00-24:00')['de']).toBe(winter)
  expect(inWords('Sa,Su 10:00-12:00,14:00-18:00')['de']).toBe('Samstag, Sonntag: 10:00–12:00, 14:00–18:00')
})

const partly = ['Mo-Fr 08:00-12:00 || "by appointment"', 'week 1-20 Mo 08:00-10:00', 'Mo[1] 10:00-12:00']
const strange = ['easter', '08:00+', '2026 Apr-Oct', 'Mo-Fr 8-20', 'Apr 32-May 1', '25:00-26:00', '', ';']
it.each([...partly, ...strange])(
  'opening hours are left as they are in %j, which is not understood, and say so',
  (text) => {
    expect(parseHours(text)).toBeUndefined()
    const { messages, format } = english
    const shown = shownHours(stringsOf(messages), format, text, { longitude: 2 })
    expect(shown).toContain(`${text} (in OpenStreetMap’s notation)`)
  },
)

it('opening hours say whether it is open now only where that is certain', () => {
  const hours = parseHours('Mo-Fr 07:00-20:00; Sa 22:00-02:00') ?? []
  const paris = { longitude: 2.35 }
  const at = (time: string, zone?: number) => openingNow(hours, { ...paris, now: new Date(time), zone })
  expect(at('2026-11-23T11:00:00Z')).toEqual({ isOpen: true })
  // At half past six in Greenwich it is half past seven in Paris; the time zone is not given.
  expect(at('2026-11-23T06:30:00Z')).toBeUndefined()
  expect(at('2026-11-23T06:30:00Z', 60)).toEqual({ isOpen: true })
  expect(at('2026-11-23T02:00:00Z')).toEqual({ isOpen: false, opensAt: 420 })
  expect(at('2026-11-22T11:00:00Z')).toEqual({ isOpen: false })
  expect(at('2026-11-22T00:30:00Z', 60)).toEqual({ isOpen: true })
  for (const text of ['07:00-20:00; PH off', 'sunrise-sunset'])
    expect(openingNow(parseHours(text) ?? [], { ...paris, now: new Date() })).toBeUndefined()
})

it('opening hours have a season in words beside them', () => {
  const seasons = inEach((messages, tag) => seasonWords(stringsOf(messages), { tag }, '04-01/10-31'))
  const words = ['April 1 to October 31', '1. April bis 31. Oktober', 'Du 1er avril au 31 octobre']
  expect(Object.values(seasons)).toEqual(words)
})
