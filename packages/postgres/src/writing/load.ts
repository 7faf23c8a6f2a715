import { sql } from 'kysely'
import {
  build,
  isByRef,
  listed,
  questionReads,
  recordsByRef,
  storing,
  text,
  texts,
  whole,
  wholes,
  type Answers,
  type KnownFacts,
  type Need,
  type NounName,
  type Questions,
  type Where,
} from '@openfountain/core/engine'
import { type Statements, type Values } from '../connection/statement.ts'
import { tables, type TableName } from '../tables.ts'
import type { KnownRows } from './known-rows.ts'

/** What a decision reads of a row: all but what search has of its own. */
const columnsOf = (table: TableName): string[] =>
  Object.keys(tables[table]).filter((name) => !name.startsWith('search'))

type Key = number | string
type KeyedRow = Readonly<Record<'id', Key>>

/**
 * Loads what decisions need in one transaction. What is asked for together is sent together, and everything of one table
 * by one statement.
 */
export function loads(statements: Statements) {
  const rowsOf = (table: TableName) => build.selectFrom(table as 'reviews').select(columnsOf(table) as never)
  const byIds = (table: TableName) =>
    statements.shaped<KeyedRow>(`load ${table}`, () => {
      const ids =
        (tables[table] as Readonly<Record<string, string>>)['id'] === 'text' ? texts('ids') : wholes('ids')
      return rowsOf(table).where(sql<boolean>`id = any(${ids})`)
    })
  const having = (table: TableName, names: readonly string[]) =>
    statements.shaped<object>(`load ${table} by ${names.join(' ')}`, () =>
      names.reduce((query, name) => {
        const isText = (tables[table] as Readonly<Record<string, string>>)[name] === 'text'
        return query.where(sql<boolean>`${sql.ref(name)} = ${isText ? text(name) : whole(name)}`)
      }, rowsOf(table).orderBy('id')),
    )
  const answers: { readonly [Q in keyof Questions]: (of: Questions[Q]) => Promise<Answers[Q]> } =
    statements.read(questionReads)
  const recordsOf = statements.read({ recordsByRef }).recordsByRef

  async function ask<Q extends keyof Questions>(
    facts: KnownFacts,
    question: Q,
    of: Questions[Q],
  ): Promise<void> {
    facts.answer(question, of, await answers[question](of))
  }

  /** Loads rows of one table by their ids, each for the nouns that it is. */
  async function loadKeys(
    facts: KnownFacts,
    table: TableName,
    needs: readonly (readonly [NounName, Key])[],
    known: KnownRows,
  ) {
    const rows = await byIds(table).all({ ids: [...new Set(needs.map(([, key]) => key))] as string[] })
    const found = new Map(rows.map((row) => [row.id, row]))
    for (const [noun, key] of needs) {
      const row = found.get(key)
      const state = row && (storing[noun].from(row as never) as never)
      known.load(noun, key as never, state)
      facts.load(noun, key as never, state)
    }
  }

  async function loadAll<Noun extends NounName>(
    facts: KnownFacts,
    noun: Noun,
    where: Where<Noun>,
  ): Promise<void> {
    const { table, from } = storing[noun]
    const rows = await having(table, Object.keys(where)).all(where as Values)
    const states = rows.map((row) => from(row as never))
    facts.loadAll(noun, where, states)
  }

  async function loadRecords(
    facts: KnownFacts,
    sourceId: number,
    refs: readonly string[],
    known: KnownRows,
  ): Promise<void> {
    const expected = await known.expected(sourceId)
    const others = refs.filter((ref) => !expected.has(ref))
    const found = others.length === 0 ? expected : await recordsOf(sourceId, others)
    for (const ref of refs)
      facts.loadAll('record', { sourceId, ref }, expected.get(ref) ?? found.get(ref) ?? [])
  }

  return {
    /** Loads what is needed, but for what is known already. */
    async now(facts: KnownFacts, needs: readonly Need[], known: KnownRows): Promise<void> {
      const keys = new Map<TableName, (readonly [NounName, Key])[]>()
      const refs = new Map<number, string[]>()
      const work: Promise<void>[] = []
      for (const need of needs) {
        if ('ask' in need) work.push(ask(facts, need.ask, need.of))
        else if ('key' in need) {
          const row = known.get(need.noun, need.key)
          if (row === undefined) listed(keys, storing[need.noun].table).push([need.noun, need.key])
          else facts.load(need.noun, need.key, row[0])
        } else if (need.noun === 'record' && isByRef(need.where))
          listed(refs, need.where.sourceId).push(need.where.ref)
        else work.push(loadAll(facts, need.noun, need.where))
      }
      for (const [table, all] of keys) work.push(loadKeys(facts, table, all, known))
      for (const [sourceId, all] of refs) work.push(loadRecords(facts, sourceId, all, known))
      await Promise.all(work)
    },

    /** Asks for what will be needed after the next save: the records of many rows, which are most of it. */
    ahead(needs: readonly Need[], known: KnownRows): void {
      const refs = new Map<number, string[]>()
      for (const need of needs)
        if ('where' in need && need.noun === 'record' && isByRef(need.where))
          listed(refs, need.where.sourceId).push(need.where.ref)
      for (const [sourceId, all] of refs) known.expect(sourceId, recordsOf(sourceId, all))
    },
  }
}
