import { sql, type RawBuilder } from 'kysely'
import { boundOsmFields, checkDateKey, freeOsmFields, waypointTags } from '../../../osm-tags.ts'
import { isMadeName } from '../../../places/made-names.ts'
import { csvValue } from '../../../published/cells.ts'
import { jsonInForm, type JsonForm } from '../../../published/json-form.ts'
import { storageError } from '../connection/failure.ts'
import type { PageField, PageTemplate, RecordPage } from './page-template.ts'
import type { RecordChoice } from './record.ts'
import { chosenBy } from './records.ts'
import { statusColumns } from './states.ts'
import { valueInForm, type TextField, type TextForm } from './texts.ts'
import { param, type Statements } from '../connection/statement.ts'
import type { Value, Values } from '../../value.ts'
import { degreesText } from '../degrees-text.ts'
import { boxCondition, boxValues } from '../../nouns/waypoint-filter.ts'

/** Records per page: enough to be fast, few enough to use little memory. */
const chunk = 1000

/**
 * The texts of live waypoints by id, a thousand at a time, built by SQLite: no text becomes a JavaScript string, which
 * makes it faster than `recordTexts`. The caller writes the separator between two pages.
 */
export function* recordPages(
  statements: Statements,
  { record, between = '' }: PageTemplate,
  choice: RecordChoice,
): Generator<RecordPage> {
  const hasTags = record.some((piece) => typeof piece === 'object' && 'osmTags' in piece)
  const amenities = combinationTexts(statements, {
    key: hasTags ? tagsKey : sql`w.amenities`,
    makers: record.flatMap((piece) => {
      if (typeof piece !== 'object') return []
      if ('osmTags' in piece) return [(key: string) => tagsText(key, piece.osmTags)]
      return 'ofAmenities' in piece ? [(key: string) => piece.ofAmenities(amenitiesIn(key))] : []
    }),
  })
  const sources = combinationTexts(statements, {
    key: sql`coalesce(m.sources, s.sourceId, 0)`,
    makers: record.flatMap((piece) =>
      typeof piece === 'object' && 'ofSources' in piece
        ? [(key: string) => piece.ofSources(key === '0' ? [] : key.split(' ').map(Number))]
        : [],
    ),
  })
  const status = statusColumns(statements, choice.day, sql.ref('k.facts'))
  const isMade = sql.raw(statements.defineUnnamed((name) => Number(isMadeName(String(name)))))
  const refs = refTexts(statements)
  const text = sql.join(
    record.flatMap((piece) => {
      if (typeof piece === 'string') return [sql.lit(piece)]
      if ('osmTags' in piece) {
        const checked = checkDate(status.lastConfirmed, piece.osmTags)
        return [amenities.next(), ...freeTags(piece.osmTags), checked, sql.lit('}')]
      }
      if ('ofAmenities' in piece) return amenities.next()
      if ('ofSources' in piece) return sources.next()
      if (piece.field === 'sourceRefs') return refs(piece.form)
      const value =
        piece.field === 'nameIsGenerated' ? madeFlag(isMade) : fieldText(piece.field, piece.form, status)
      const written = piece.orNull ? sql`ifnull(${value}, 'null')` : value
      return piece.before === undefined ? written : sql`${sql.lit(piece.before)} || ${written}`
    }),
  )
  const chosen = choice.bbox !== undefined || choice.ids !== undefined
  const { conditions, values: filtered } = chosenBy(statements, choice, sql.table('w'))
  const query = sql`select count(*), cast(group_concat(concat(${text}), ${sql.lit(between)}) as blob)
    from waypoints w not indexed
    left join statuses k on k.id = w.id
    left join (${reviewFigures(chosen)}) r on r.bubblerId = w.id
    left join (${severalSources(chosen)}) m on m.waypointId = w.id
    left join listings s on s.waypointId = w.id and m.waypointId is null
    ${amenities.join} ${sources.join}
    where w.deletedAt is null and w.id > ${param('after')} and w.id <= ${param('last')}
      ${chosen ? sql`and w.id in (select value from json_each(${param('ids')}))` : sql``}
      ${sql.join(
        conditions.map((condition) => sql`and ${condition}`),
        sql` `,
      )}`
  try {
    const page = statements.columns<[number, Uint8Array<ArrayBuffer> | null]>(query)
    for (const stretch of chosen ? chosenStretches(statements, choice) : stretches(statements)) {
      for (const [count, bytes] of page.all({ ...stretch, ...filtered }))
        if (bytes !== null) yield { bytes, count }
      amenities.keep()
      sources.keep()
    }
  } catch (error) {
    throw storageError(error)
  } finally {
    amenities.drop()
    sources.drop()
  }
}

/** Whether a row is about a waypoint of a stretch: one of the chosen ids, or any in its range. */
const ofStretch = (column: string, chosen: boolean): RawBuilder<unknown> =>
  chosen
    ? sql`${sql.ref(column)} in (select value from json_each(${param('ids')}))`
    : sql`${sql.ref(column)} > ${param('after')} and ${sql.ref(column)} <= ${param('last')}`

/** The live reviews of the waypoints of a stretch. The mean is formatted as in JavaScript. */
const reviewFigures = (chosen: boolean) => sql`select bubblerId, n,
    iif(mean = cast(mean as integer), cast(mean as integer), mean) as mean
  from (select bubblerId, count(*) as n, round(avg(rating), 2) as mean
    from reviews where deletedAt is null and ${ofStretch('bubblerId', chosen)}
    group by bubblerId)`

/** Whether a reference names an object of OpenStreetMap; see `osmObjectOf`. */
const isObject = (ref: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`(${sql.join(
    ['node/', 'way/', 'relation/'].map(
      (type) =>
        sql`(${ref} glob ${sql.lit(`${type}[1-9]*`)} and ${ref} not glob ${sql.lit(`${type}*[^0-9]*`)}
        and length(${ref}) <= ${sql.lit(type.length + 15)})`,
    ),
    sql` or `,
  )})`

/** The object of OpenStreetMap of a waypoint with several source records. */
const objectOf = sql`from records o where o.waypointId = listings.waypointId
  and (o.tags is not null or ${isObject(sql.ref('o.ref'))}) order by o.tags is null, o.sourceId, o.id limit 1`

/** The reference of the only source record, or of the object. */
const objectRef = sql`iif(m.waypointId is null, s.ref, m.objectRef)`

/** The waypoints of a stretch that have several source records, of which there are few. */
const severalSources = (
  chosen: boolean,
) => sql`select waypointId, max(listedOn) as listedOn, max(updated) as updated,
    group_concat(sourceId, ' ' order by sourceId, id) as sources,
    json_group_array(coalesce(ref, '') order by sourceId, id) as refs,
    (select ref ${objectOf}) as objectRef, (select tags ${objectOf}) as tags
  from listings where waypointId in (${
    chosen
      ? sql`select i.value from json_each(${param('ids')}) i
          where (select count(*) from records r where r.waypointId = i.value) > 1`
      : sql`select waypointId from listings where ${ofStretch('waypointId', chosen)}
          group by waypointId having count(*) > 1`
  })
  group by waypointId`

/** Made names have a comma and a space: others cost no call. */
const madeFlag = (isMade: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`iif(instr(w.name, ', ') > 0 and ${isMade}(w.name), 'true', 'false')`

/** References of the only record, as a JSON array. */
const onlyRef = sql`iif(s.sourceId is null, '[]', '[' || json_quote(ifnull(s.ref, '')) || ']')`

/** Returns what writes the references. Joining several in a cell, or one that has to be escaped there, calls JavaScript. */
function refTexts(statements: Statements): (form: TextForm) => RawBuilder<unknown> {
  return (form) => {
    const list = sql`ifnull(m.refs, ${onlyRef})`
    if (typeof form !== 'object') return list
    const joined = sql.raw(
      statements.defineUnnamed((refs) => csvValue(JSON.parse(String(refs)) as readonly string[])),
    )
    const isPlain = sql`m.refs is null and ifnull(s.ref, '') not glob '*[;\\]*'`
    return sql`iif(${isPlain}, ${valueInForm(sql<string>`s.ref`, form)}, ${joined}(${list}))`
  }
}

function fieldText(
  field: Exclude<PageField, 'nameIsGenerated' | 'sourceRefs'>,
  form: TextForm,
  status: ReturnType<typeof statusColumns>,
): RawBuilder<unknown> {
  switch (field) {
    case 'latitude':
    case 'longitude':
      return degreesText(sql.ref(`w.${field}`))
    case 'state':
      return valueInForm(status.state, form)
    case 'stateSince':
      return valueInForm(status.since, form)
    case 'lastConfirmed':
      return valueInForm(status.lastConfirmed, form)
    case 'lastListed':
      return valueInForm(sql<string>`coalesce(m.listedOn, s.listedOn)`, form)
    case 'sourceUpdated':
      return valueInForm(sql<string>`coalesce(m.updated, s.updated)`, form)
    case 'country':
    case 'subdivision':
    case 'placeName':
      return valueInForm(sql.ref<string>(`w.${field}`), form)
    case 'rating':
      return sql`r.mean`
    case 'reviewCount':
      return sql`coalesce(r.n, 0)`
    case 'osmType':
      return valueInForm(
        sql<string>`iif(${isObject(objectRef)}, substr(${objectRef}, 1, instr(${objectRef}, '/') - 1), null)`,
        form,
      )
    case 'osmId':
      return sql`iif(${isObject(objectRef)}, substr(${objectRef}, instr(${objectRef}, '/') + 1), null)`
    case 'osmObjectTags':
      return valueInForm(sql<string>`coalesce(m.tags, s.tags)`, form)
    default:
      return valueInForm(sql.ref<string>(`w.${field}`), form, field)
  }
}

/** Ranges of ids with a thousand waypoints each. */
function* stretches(statements: Statements): Generator<{ after: number; last: number }> {
  const ends = statements.columns<[number | null]>(
    sql`select coalesce(
      (select id from waypoints where id > ${param('after')} order by id limit 1 offset ${sql.lit(chunk - 1)}),
      (select max(id) from waypoints where id > ${param('after')}))`,
  )
  for (let after = 0; ;) {
    const [row] = ends.all({ after })
    const last = row?.[0] ?? null
    if (last === null) return
    yield { after, last }
    after = last
  }
}

/** Ranges with the chosen ids in them; the box is searched once. */
function* chosenStretches(
  statements: Statements,
  { bbox, ids }: RecordChoice,
): Generator<Values & { ids: string; after: number; last: number }> {
  const found = statements
    .columns<[number]>(sql`select id from waypoints where deletedAt is null
      ${bbox ? sql`and ${boxCondition(bbox)}` : sql``}
      ${ids ? sql`and id in (select value from json_each(${param('ids')}))` : sql``} order by id`)
    .all({ ...(bbox && boxValues(bbox)), ...(ids && { ids: JSON.stringify(ids) }) })
  const all = Float64Array.from(found, ([id]) => id)
  for (let start = 0; start < all.length; start += chunk) {
    const part = all.subarray(start, start + chunk)
    yield { ids: JSON.stringify([...part]), after: (part[0] ?? 0) - 1, last: part.at(-1) ?? 0 }
  }
}

const columns = (names: readonly TextField[]) => names.map((name) => sql.ref<string>(`w.${name}`))
const bound = columns(boundOsmFields)
const free = columns(freeOsmFields.map(({ name }) => name))

/**
 * What the tags depend on apart from the values of free fields: the amenities, and before them, when the waypoint has any
 * field with tags, the values of the bound ones and which of the free ones it has.
 */
const tagsKey: RawBuilder<string> = sql`iif(${sql.join(
  [...bound, ...free].map((column) => sql`${column} is null`),
  sql` and `,
)}, w.amenities, ${sql.join(
  [
    ...bound.map((column) => sql`ifnull(${column}, '') || '|'`),
    ...free.map((column) => sql`iif(${column} is null, '|', '+|')`),
    sql`w.amenities`,
  ],
  sql` || `,
)})`

const amenitiesIn = (key: string): string[] => JSON.parse(key.slice(key.indexOf('[')))

/** The tags of a key as a JSON object without its closing brace, which comes after the tags of the free fields. */
function tagsText(key: string, form: JsonForm): string {
  const parts = key.slice(0, key.indexOf('[')).split('|')
  const values = boundOsmFields.flatMap((name, index) => (parts[index] ? [[name, parts[index]]] : []))
  const present = freeOsmFields.filter((_, index) => parts[boundOsmFields.length + index] === '+')
  const tags = waypointTags(
    { ...Object.fromEntries(values), amenities: amenitiesIn(key) },
    present.map(({ name }) => name),
  )
  return jsonInForm(tags, form).slice(0, -1)
}

const freeTags = (form: JsonForm): RawBuilder<string>[] =>
  freeOsmFields.map(({ name, key }, index) => {
    const value = valueInForm(free[index] ?? sql`null`, form, name)
    return sql`${sql.lit(`,${jsonInForm(key, form)}:`)} || ${value}`
  })

/** The tag of the day on which somebody last looked. */
function checkDate(day: RawBuilder<string>, form: JsonForm): RawBuilder<string> {
  return sql`${sql.lit(`,${jsonInForm(checkDateKey, form)}:`)} || ${valueInForm(day, form)}`
}

interface Combination {
  readonly key: RawBuilder<unknown>
  readonly makers: readonly ((key: string) => string)[]
}

/**
 * Texts that callbacks return for a key, cached in a temporary table, so that they are called once for each key, or a
 * few times within the page in which the key first appears.
 */
function combinationTexts(statements: Statements, { key, makers }: Combination) {
  const name = statements.unusedName('combination')
  const table = sql.table(`temp.${name}`)
  const fresh = new Map<string, Value>()
  const make = sql.raw(
    statements.defineUnnamed((index, given) => {
      const text = String(given)
      fresh.set(text, given ?? null)
      return makers[Number(index)]?.(text) ?? ''
    }),
  )
  if (makers.length > 0) {
    const columns = sql.join(makers.map((_, index) => sql`${sql.ref(`text${index}`)} text not null`))
    // The column has no type, so that numeric keys stay numbers, which are faster to look up.
    statements.execute(sql`create table ${table} (key primary key, ${columns}) without rowid`)
  }
  let used = 0
  return {
    /** The text of the next maker. */
    next(): RawBuilder<string> {
      const index = used++
      return sql`coalesce(${sql.ref(`${name}.text${index}`)}, ${make}(${sql.lit(index)}, ${key}))`
    },
    join: makers.length === 0 ? sql`` : sql`left join ${table} on ${sql.ref(`${name}.key`)} = ${key}`,
    /** Stores the texts that were built since the last call. */
    keep(): void {
      for (const [text, given] of fresh) {
        const texts = makers.map((maker) => sql`${maker(text)}`)
        statements.execute(
          sql`insert or ignore into ${table} values (${sql.join([sql`${given}`, ...texts])})`,
        )
      }
      fresh.clear()
    },
    drop(): void {
      if (makers.length > 0) statements.execute(sql`drop table ${table}`)
    },
  }
}
