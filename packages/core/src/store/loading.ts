import { sql, type RawBuilder } from 'kysely'
import type { Need, Questions } from '../decide/deciding.ts'
import type { KeyOf, NounName, Nouns, Changes, Where } from '../log/nouns.ts'
import type { LoadedFacts } from '../log/script.ts'
import { questionReads, recordsByRef } from './nouns/questions.ts'
import { storing, type NounTable } from './rows.ts'
import { isAmong } from './sql/expressions.ts'
import { build, shaped, text, texts, whole, wholes } from './sql/query.ts'
import { together, type QueryValues, type Reading } from './sql/reading.ts'
import { tables, type Columns } from './tables.ts'

type Key = number | string

/** The nouns that most groups of a batch read again, with few rows in a batch. */
const kept: ReadonlySet<NounName> = new Set(['user', 'profile', 'source', 'import', 'progress'])

/** Rows known to a running transaction: nobody else writes until it ends. */
export class LoadedRows {
  readonly #rows = new Map<NounName, Map<unknown, unknown>>()

  /** A row that was loaded or saved, or undefined in an array when there is none. */
  get<Noun extends NounName>(noun: Noun, key: KeyOf<Noun>): readonly [Nouns[Noun] | undefined] | undefined {
    const rows = this.#rows.get(noun)
    return rows?.has(key) === true ? [rows.get(key) as Nouns[Noun] | undefined] : undefined
  }

  load(noun: NounName, key: Key, row: unknown): void {
    if (!kept.has(noun)) return
    let rows = this.#rows.get(noun)
    if (rows === undefined) this.#rows.set(noun, (rows = new Map()))
    rows.set(key, row)
  }

  /** Records saved rows. */
  save(changes: Changes): void {
    for (const noun of kept)
      for (const { after } of changes[noun] ?? []) this.load(noun, after.id as Key, after)
  }
}

const isText = (table: NounTable, name: string): boolean =>
  (tables[table].columns as Columns)[name]?.kind === 'text'

/** A row without the engine's own columns. */
const rowsOf = (table: NounTable) =>
  build.selectFrom(table as 'reviews').select(Object.keys(tables[table].columns) as 'id'[])

const one = shaped((table: NounTable) =>
  rowsOf(table).where('id', '=', (isText(table, 'id') ? text('id') : whole('id')) as RawBuilder<never>),
)
const some = shaped((table: NounTable) =>
  rowsOf(table).where(isAmong(sql.ref('id'), isText(table, 'id') ? texts('ids') : wholes('ids'))),
)
const having = shaped((table: NounTable, names: string) =>
  names
    .split(' ')
    .reduce(
      (query, name) =>
        query.where(sql<boolean>`${sql.ref(name)} = ${isText(table, name) ? text(name) : whole(name)}`),
      rowsOf(table).orderBy('id'),
    ),
)

function* ask<Q extends keyof Questions>(facts: LoadedFacts, question: Q, of: Questions[Q]): Reading<void> {
  facts.answer(question, of, yield* questionReads[question](of))
}

/** Loads rows of one table by their ids, each for the nouns that it is. */
function* loadKeys(
  facts: LoadedFacts,
  table: NounTable,
  needs: readonly (readonly [NounName, Key])[],
  known: LoadedRows,
): Reading<void> {
  const ids = [...new Set(needs.map(([, key]) => key))]
  const [id = ''] = ids
  const rows = yield* ids.length === 1 ? one(table).all({ id }) : some(table).all({ ids })
  const found = new Map<Key, object>(rows.map((row) => [row.id, row]))
  for (const [noun, key] of needs) {
    const row = found.get(key)
    const state = row && storing[noun].from(row as never)
    known.load(noun, key, state)
    facts.load(noun, key as never, state as never)
  }
}

function* loadAll<Noun extends NounName>(facts: LoadedFacts, noun: Noun, where: Where<Noun>): Reading<void> {
  const { table, from } = storing[noun]
  const rows = yield* having(table, Object.keys(where).join(' ')).all(where as QueryValues)
  const found = rows.map((row) => from(row as never))
  facts.loadAll(noun, where, found)
}

/** Loads the records of many references of one source by one query. */
function* loadRecords(facts: LoadedFacts, sourceId: number, refs: readonly string[]): Reading<void> {
  const found = yield* recordsByRef(sourceId, refs)
  for (const ref of refs) facts.loadAll('record', { sourceId, ref }, found.get(ref) ?? [])
}

/** Whether records are asked for by the reference that their source gives them. */
function isByRef(where: Where<'record'>): where is { readonly sourceId: number; readonly ref: string } {
  return where.ref !== undefined && where.sourceId !== undefined && Object.keys(where).length === 2
}

function listed<Of, Item>(lists: Map<Of, Item[]>, of: Of, item: Item): void {
  const list = lists.get(of)
  if (list === undefined) lists.set(of, [item])
  else list.push(item)
}

/** Loads the facts for decisions, except known ones: one query a table, all at the same time. */
export function* loading(facts: LoadedFacts, needs: readonly Need[], known: LoadedRows): Reading<void> {
  const keys = new Map<NounTable, (readonly [NounName, Key])[]>()
  const refs = new Map<number, string[]>()
  const work: Reading<void>[] = []
  for (const need of needs) {
    if ('ask' in need) work.push(ask(facts, need.ask, need.of))
    else if ('key' in need) {
      const row = known.get(need.noun, need.key)
      if (row === undefined) listed(keys, storing[need.noun].table, [need.noun, need.key])
      else facts.load(need.noun, need.key, row[0])
    } else if (need.noun === 'record' && isByRef(need.where))
      listed(refs, need.where.sourceId, need.where.ref)
    else work.push(loadAll(facts, need.noun, need.where))
  }
  for (const [table, all] of keys) work.push(loadKeys(facts, table, all, known))
  for (const [sourceId, all] of refs) work.push(loadRecords(facts, sourceId, all))
  yield* together(...work)
}
