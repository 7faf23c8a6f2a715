import { sql } from 'kysely'
import { apiUserId } from '../../../actor.ts'
import type { Answers, Need, Questions } from '../../../decide/deciding.ts'
import type { KeyOf, NounName, RecordState } from '../../../log/nouns.ts'
import type { KnownFacts } from '../../../log/script.ts'
import type { Where } from '../../../log/working-set.ts'
import type { Schema } from '../schema.ts'
import { waypointReads } from '../../nouns/waypoints.ts'
import { build, param, type Statements } from '../connection/statement.ts'
import type { Values } from '../../value.ts'
import { recordStateOf, storedEntryOf } from '../../rows.ts'
import { storing, type NounTable } from '../../storing.ts'

/** Loads what decisions need on one connection. */
export function loads(statements: Statements) {
  const byId = (table: NounTable) =>
    statements.shaped(`load ${table}`, () =>
      build
        .selectFrom(table as 'waypoints')
        .selectAll()
        .where('id', '=', param<never>('id')),
    )
  const having = (table: NounTable, names: readonly string[]) =>
    statements.shaped(`load ${table} by ${names.join(' ')}`, () =>
      names.reduce(
        (query, name) => query.where(sql<boolean>`${sql.ref(name)} = ${param(name)}`),
        build
          .selectFrom(table as 'waypoints')
          .selectAll()
          .orderBy('id'),
      ),
    )
  const byRefs = statements.prepare(() =>
    build
      .selectFrom('records')
      .selectAll()
      .where('sourceId', '=', param<number>('sourceId'))
      .where('ref', 'in', sql`(select value from json_each(${param('refs')}))` as never),
  )
  const entries = () => build.selectFrom('entries').selectAll()
  const aboutWaypoint = statements.prepare(() =>
    entries()
      .where(sql<boolean>`subject = 'waypoint'`)
      .where('subjectId', '=', param<number>('subjectId'))
      .orderBy('id'),
  )
  const aboutOther = statements.prepare(() =>
    entries()
      .where(sql<boolean>`subject <> 'waypoint'`)
      .where('subject', '=', param<Schema['entries']['subject']>('subject'))
      .where('subjectId', '=', param<number | string>('subjectId'))
      .orderBy('id'),
  )
  const after = statements.prepare(() =>
    entries().where('id', '>', param<number>('after')).orderBy('id').limit(param<number>('limit')),
  )
  // The built-in user made most entries, those of imports: they are read in the order of the log instead of sorted.
  const by = (isBuiltIn: boolean) => () =>
    entries()
      .where(sql<boolean>`${sql.raw(isBuiltIn ? '+by' : 'by')} = ${param('userId')}`)
      .where('at', '>=', param<string>('since'))
      .where('id', '<', param<number>('before'))
      .orderBy('id', 'desc')
      .limit(param<number>('limit'))
  const byPerson = statements.prepare(by(false))
  const byBuiltIn = statements.prepare(by(true))

  const moderators = statements.prepare(() =>
    build.selectFrom('users').select('name').where('isModerator', '=', 1).where('leftAt', 'is', null),
  )
  const waypointsNear = statements.read(waypointReads).near
  const valuesOf = (of: object) => of as Values
  const answers: { readonly [Q in keyof Questions]: (of: Questions[Q]) => Answers[Q] } = {
    entriesAbout: (of) =>
      (of.subject === 'waypoint' ? aboutWaypoint : aboutOther).all(valuesOf(of)).map(storedEntryOf),
    entriesAfter: (of) => after.all(valuesOf(of)).map(storedEntryOf),
    entriesBy: (of) => (of.userId === apiUserId ? byBuiltIn : byPerson).all(valuesOf(of)).map(storedEntryOf),
    moderators: () => moderators.all({}).map(({ name }) => name),
    near: ({ latitude, longitude, metres, limit }) =>
      waypointsNear({ near: { latitude, longitude, radius: metres }, limit }).map(({ id }) => id),
  }

  function ask<Q extends keyof Questions>(facts: KnownFacts, question: Q, of: Questions[Q]): void {
    facts.answer(question, of, answers[question](of))
  }

  function load<Noun extends NounName>(facts: KnownFacts, noun: Noun, id: KeyOf<Noun>): void {
    const { table, from } = storing[noun]
    const row = byId(table).get({ id })
    facts.load(noun, id, row && from(row as never))
  }

  function loadAll<Noun extends NounName>(facts: KnownFacts, noun: Noun, where: Where<Noun>): void {
    const { table, from } = storing[noun]
    const rows = having(table, Object.keys(where)).all(where as Values)
    facts.loadAll(
      noun,
      where,
      rows.map((row) => from(row as never)),
    )
  }

  /** Loads the records of many references of one source in one query. */
  function loadRecords(facts: KnownFacts, sourceId: number, refs: readonly string[]): void {
    const found = new Map<string, RecordState[]>()
    for (const row of byRefs.all({ sourceId, refs: JSON.stringify(refs) })) {
      const record = recordStateOf(row)
      const ref = record.ref ?? ''
      found.set(ref, [...(found.get(ref) ?? []), record])
    }
    for (const ref of refs) facts.loadAll('record', { sourceId, ref }, found.get(ref) ?? [])
  }

  return function loadNeeds(facts: KnownFacts, needs: readonly Need[]): void {
    const refs = new Map<number, string[]>()
    for (const need of needs) {
      if ('ask' in need) ask(facts, need.ask, need.of)
      else if ('key' in need) load(facts, need.noun, need.key)
      else if (need.noun === 'record' && isByRef(need.where)) {
        const { sourceId, ref } = need.where
        const known = refs.get(sourceId)
        if (known === undefined) refs.set(sourceId, [ref])
        else known.push(ref)
      } else loadAll(facts, need.noun, need.where)
    }
    for (const [sourceId, all] of refs) loadRecords(facts, sourceId, all)
  }
}

function isByRef(where: Where<'record'>): where is { readonly sourceId: number; readonly ref: string } {
  return where.ref !== undefined && where.sourceId !== undefined && Object.keys(where).length === 2
}
