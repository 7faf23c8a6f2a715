import type { LogEntry, Waypoint } from '@openfountain/core'
import type { ComponentChildren } from 'preact'
import { drawPlan, offset } from '../../drawing/plan.ts'
import { Moment } from '../../ui/time.tsx'
import { PlanMap } from '../../views/surroundings.tsx'
import { ActButton, type Act } from './act.tsx'
import { desk, distanceWords, entryName, fieldName, format, fountainName } from './config.ts'
import { labelled, pages, valueText, withName, words } from './config.ts'
import { PlaceMap, type Spot } from './place-map.tsx'
import type { Nearby } from './requests.ts'

/** User text, with a direction of its own. */
export const named = (text: string) => <bdi>{text}</bdi>

const shownFields: readonly string[] = Object.keys(words.field).filter(
  (field) => !['latitude', 'longitude', 'addedByUserId', 'approved', 'verified'].includes(field),
)

const valuesOf = (waypoint: Waypoint): Readonly<Record<string, unknown>> => ({ ...waypoint })

export interface Place {
  readonly latitude: number
  readonly longitude: number
}

const positionText = ({ latitude, longitude }: Place): string => `${latitude}, ${longitude}`

const onMap = ({ id, latitude, longitude }: Place & { readonly id: number }): string =>
  `${pages.home}?at=${Number(latitude.toFixed(5))},${Number(longitude.toFixed(5))},17&fountain=${id}`

export const mapLink = (of: Place & { readonly id: number }, text: ComponentChildren, looks = '') => (
  <a class={looks} href={onMap(of)} target="_blank" rel="noopener">
    {text}
  </a>
)

export const deskLink = (to: string, text: ComponentChildren) => <a href={`#find/${to}`}>{text}</a>

export const personLink = (id: string, text: ComponentChildren) =>
  id === 'api' ? <>{text}</> : deskLink(`contributor/${encodeURIComponent(id)}`, text)

export const fountainHead = (waypoint: Waypoint) => (
  <p class="tags">
    {waypoint.approved && <span class="tag">{words.waypoint.approved}</span>}
    {waypoint.verified && <span class="tag tag-verified">{words.waypoint.verified}</span>}
    <span class="tag tag-plain">#{waypoint.id}</span>
    {mapLink(waypoint, desk.onMap, 'tag')}
  </p>
)

/** A fountain's values as texts, by the names of their fields; a label is no name. */
export const textsOf = (waypoint: Waypoint): readonly (readonly [name: string, text: string])[] => [
  [words.waypoint.position, positionText(waypoint)],
  ...shownFields
    .filter((field) => field !== 'name' || waypoint.nameIsMade !== true)
    .map((field) => [fieldName(field), valueText(field, valuesOf(waypoint)[field])] as const)
    .filter(([, text]) => text !== desk.none),
]

export const fountainFacts = (waypoint: Waypoint) => (
  <dl class="facts stack-3">
    {textsOf(waypoint).map(([name, text]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{named(text)}</dd>
      </div>
    ))}
  </dl>
)

/** A column of a comparison: a fountain, or a row of a file. */
export interface Side {
  readonly title: string
  readonly values: Readonly<Record<string, string>>
}

export function sideOf(waypoint: Waypoint, title: string): Side {
  const flags = (['approved', 'verified'] as const).filter((flag) => waypoint[flag])
  const facts = flags.map((flag) => words.waypoint[flag]).join(', ')
  const values = { ...Object.fromEntries(textsOf(waypoint)), '#': String(waypoint.id), [desk.facts]: facts }
  return { title, values }
}

/** Sides in a table with their differences marked; fields that are empty on all are left out. */
export function comparison(caption: string, ...sides: readonly Side[]) {
  const names = new Set(sides.flatMap(({ values }) => Object.keys(values)))
  const rows = [...names]
    .map((name) => [name, sides.map(({ values }) => values[name] || desk.none)] as const)
    .filter(([, texts]) => texts.some((text) => text !== desk.none))
  return (
    <div class="table-wrap desk-compare-wrap">
      <table class="table desk-compare">
        <caption class="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            <td />
            {sides.map(({ title }) => (
              <th scope="col">{named(title)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, texts]) => (
            <tr key={name} class={new Set(texts).size > 1 ? 'differs' : undefined}>
              <th scope="row">{name}</th>
              {texts.map((text) => (
                <td>{named(text)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

export const nearbyList = (nearby: readonly Nearby[]) =>
  nearby.length > 0 && (
    <section class="stack-3">
      <h3>{desk.nearby}</h3>
      <ol class="grid nearby">
        {nearby.map(({ waypoint, metres }, index) => (
          <li key={waypoint.id}>
            <span class={waypoint.verified ? 'dot dot-verified' : 'dot'} aria-hidden="true">
              {index + 1}
            </span>
            {mapLink(waypoint, named(fountainName(waypoint)))}
            <span class="faint">{`#${waypoint.id} · ${distanceWords(metres)}`}</span>
          </li>
        ))}
      </ol>
    </section>
  )

/** Farther places are left out of a plan, so that the nearest is clear of the middle. */
const mostTimesNearest = 4
/** Half the height of a plan in metres at least: nearer places would be drawn on top of each other. */
const leastMetres = 30

/** A place, and where it was before, with others around it, on a plan until the base map is drawn. */
export function surroundings(
  here: Place & { readonly name: string },
  others: readonly (Place & { readonly verified: boolean })[],
  before?: Place,
) {
  const around = others.map((other) => ({ ...other, ...offset(here, other) }))
  const nearest = Math.max(leastMetres, Math.min(...around.map(({ distanceMetres }) => distanceMetres)))
  const near = around.filter(({ distanceMetres }) => distanceMetres <= mostTimesNearest * nearest)
  const { points, ...drawing } = drawPlan(near, leastMetres)
  const shown = points.map(({ x, y, neighbour: { verified } }) => ({ x, y, verified }))
  const title = fountainName(here)
  const spots = [
    ...near.map((spot, index): Spot => {
      return { ...spot, text: String(index + 1), looks: spot.verified && 'verified' }
    }),
    ...(before ? [{ ...before, looks: 'removed' as const }] : []),
    { ...here, looks: 'changed' as const },
  ]
  return (
    <PlaceMap spots={spots}>
      <PlanMap plan={drawing} points={shown} title={title} label={withName(desk.map, title)} />
    </PlaceMap>
  )
}

export const placeOf = (waypoint: Waypoint) => (
  <>
    {deskLink(`waypoint/${waypoint.id}`, named(fountainName(waypoint)))}
    {surroundings(waypoint, [])}
  </>
)

/** A changed field; `before` is absent when the entry that set it is not loaded. */
export interface Difference {
  readonly field: string
  readonly after: unknown
  readonly before?: { readonly value: unknown }
}

export const differenceList = (differences: readonly Difference[], isNew = false) => (
  <dl class="stack-1 pairs changes">
    {differences.map(({ field, before, after }) => (
      <div key={field}>
        <dt>{fieldName(field)}</dt>
        <dd class="change">
          {!isNew && (
            <>
              <span class="visually-hidden">{labelled(desk.was, '')}</span>
              <del>{named(before ? valueText(field, before.value) : desk.unknownBefore)}</del>
              {' → '}
              <span class="visually-hidden">{labelled(desk.is, '')}</span>
            </>
          )}
          <ins>{named(valueText(field, after))}</ins>
        </dd>
      </div>
    ))}
  </dl>
)

export const quoted = (text: unknown) => typeof text === 'string' && <q class="desk-reason">{named(text)}</q>

/** A log entry with a button that reverts it. @param what follows the name of the action */
export const entryItem = (
  { id, action, timestamp }: LogEntry,
  what: ComponentChildren,
  revert: Act,
  more?: ComponentChildren,
) => (
  <li class="split item" data-entry={id} key={id}>
    <div class="entry-text">
      <span class="entry-what">
        <strong>{words.action[action]}</strong>
        {what}
      </span>
      <span class="entry-meta">
        <Moment at={timestamp} format={format} />
      </span>
      {more}
    </div>
    <ActButton act={revert} isSmall about={labelled(desk.revert, entryName(id))} />
  </li>
)

export function changesBetween(shown: Waypoint, now: Waypoint | undefined) {
  const [before, after] = [valuesOf(shown), now ? valuesOf(now) : {}]
  const changed = [...shownFields, 'latitude', 'longitude', 'approved', 'verified']
    .filter((field) => now && JSON.stringify(before[field]) !== JSON.stringify(after[field]))
    .map((field) => ({ field, before: { value: before[field] }, after: after[field] }))
  return changed.length > 0 && differenceList(changed)
}
