import { sql } from 'kysely'
import type { Answers, Need, Questions } from '../../../decide/deciding.ts'
import type { KeyOf, NounName } from '../../../log/nouns.ts'
import type { KnownFacts } from '../../../log/script.ts'
import type { Where } from '../../../log/working-set.ts'
import { isByRef, listed } from '../../listed.ts'
import { questionReads, recordsByRef } from '../../nouns/questions.ts'
import { storing, type NounTable } from '../../rows.ts'
import type { Values } from '../../value.ts'
import { build, param, type Statements } from '../connection/statement.ts'

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
  const answers: { readonly [Q in keyof Questions]: (of: Questions[Q]) => Answers[Q] } =
    statements.read(questionReads)
  const recordsOf = statements.read({ recordsByRef }).recordsByRef

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
    const found = rows.map((row) => from(row as never))
    facts.loadAll(noun, where, found)
  }

  /** Loads the records of many references of one source in one query. */
  function loadRecords(facts: KnownFacts, sourceId: number, refs: readonly string[]): void {
    const found = recordsOf(sourceId, refs)
    for (const ref of refs) facts.loadAll('record', { sourceId, ref }, found.get(ref) ?? [])
  }

  return function loadNeeds(facts: KnownFacts, needs: readonly Need[]): void {
    const refs = new Map<number, string[]>()
    for (const need of needs) {
      if ('ask' in need) ask(facts, need.ask, need.of)
      else if ('key' in need) load(facts, need.noun, need.key)
      else if (need.noun === 'record' && isByRef(need.where))
        listed(refs, need.where.sourceId).push(need.where.ref)
      else loadAll(facts, need.noun, need.where)
    }
    for (const [sourceId, all] of refs) loadRecords(facts, sourceId, all)
  }
}
