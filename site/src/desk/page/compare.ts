import type { Waypoint } from '@openfountain/core'
import { fill } from '../../messages.ts'
import { desk, distanceWords, format, withName, words } from './config.ts'
import { ask, choices, field, reasonField, reasonIn, textIn, textInput, wrongField } from './dialog.ts'
import { element, named, type Content } from './element.ts'
import { fieldName, positionText, readFountain, shownFields, valuesOf, valueText } from './fountain.ts'
import { fountainName } from './naming.ts'
import type { Setting } from './panel.ts'
import { send } from './send.ts'

/** A column of a comparison: a fountain, or a row of a file. */
export interface Side {
  readonly title: string
  readonly values: Readonly<Record<string, Content>>
}

/** A fountain as a column; `title` tells the two apart. */
export function sideOf(waypoint: Waypoint, title: string): Side {
  const values = valuesOf(waypoint)
  const shown = shownFields.map((name) => [fieldName(name), named(valueText(name, values[name]))] as const)
  const flags = [words.approved, words.verified].filter((_, index) =>
    index === 0 ? waypoint.approved : waypoint.verified,
  )
  return {
    title,
    values: {
      ...Object.fromEntries(shown),
      [words.position]: positionText(waypoint),
      '#': String(waypoint.id),
      ...(flags.length > 0 && { [desk.facts]: flags.join(', ') }),
    },
  }
}

const textOf = (content: Content | undefined): string =>
  typeof content === 'string' ? content : (content?.textContent ?? '')

/** Two sides in a table with their differences marked; fields that are empty on both are left out. */
export function comparison(caption: string, one: Side, other: Side): HTMLElement {
  const table = element('table', 'table desk-compare', element('caption', 'visually-hidden', caption))
  const head = element('tr', '', element('td'))
  for (const { title } of [one, other]) {
    const cell = element('th', '', named(title))
    cell.scope = 'col'
    head.append(cell)
  }
  const body = element('tbody')
  for (const name of new Set([...Object.keys(one.values), ...Object.keys(other.values)])) {
    const [left, right] = [one.values[name], other.values[name]]
    const [leftText, rightText] = [textOf(left), textOf(right)]
    if ([leftText, rightText].every((text) => text === '' || text === desk.none)) continue
    const heading = element('th', '', name)
    heading.scope = 'row'
    const row = element('tr', leftText === rightText ? '' : 'differs', heading)
    row.append(element('td', '', left ?? desk.none), element('td', '', right ?? desk.none))
    body.append(row)
  }
  table.append(element('thead', '', head), body)
  return element('div', 'table-wrap desk-compare-wrap', table)
}

/** Asks which of two stays and why, and merges the other into it; the undo restores it. */
export async function mergeTwo(setting: Setting, one: Waypoint, other: Waypoint): Promise<void> {
  let kept = other
  const isDone = await ask({
    title: desk.mergeTitle,
    text: desk.mergeText,
    content: [
      comparison(desk.mergeTitle, sideOf(one, `#${one.id}`), sideOf(other, `#${other.id}`)),
      choices(
        desk.stays,
        'stays',
        [other, one].map((waypoint) => ({
          value: String(waypoint.id),
          label: named(`${fountainName(waypoint)} (#${waypoint.id})`),
          isChosen: waypoint === other,
        })),
      ),
      reasonField(),
    ],
    confirm: desk.merge,
    async work(data) {
      const body = { into: Number(textIn(data, 'stays')), reason: reasonIn(data) }
      kept = body.into === one.id ? one : other
      await send('POST', `/waypoints/${mergedFountain().id}/merge`, { body })
    },
  })
  function mergedFountain(): Waypoint {
    return kept === one ? other : one
  }
  if (!isDone) return
  setting.settle(withName(desk.did.merged, fountainName(kept)), () =>
    send('POST', `/waypoints/${mergedFountain().id}/restore`, { body: { reason: desk.undoReason } }),
  )
}

/** Asks for the other fountain of a merge, and then merges the two. */
export async function mergeWithAnother(
  setting: Setting,
  waypoint: Waypoint,
  nearby: readonly { readonly waypoint: Waypoint; readonly metres: number }[],
): Promise<void> {
  let other: Waypoint | undefined
  const input = textInput('into')
  input.inputMode = 'numeric'
  const offered = nearby.slice(0, 5).map(({ waypoint: near, metres }, index) => ({
    value: String(near.id),
    label: named(`${fountainName(near)} (#${near.id}) · ${distanceWords(metres)}`),
    isChosen: index === 0,
  }))
  const isChosen = await ask({
    title: desk.mergeWith,
    content: [
      ...(offered.length === 0 ? [] : [choices(desk.nearby, 'near', offered)]),
      field(desk.mergeOther, input),
    ],
    confirm: desk.merge,
    async work(data) {
      const typed = textIn(data, 'into').replace('#', '')
      const id = Number(typed === '' ? textIn(data, 'near') : typed)
      if (!Number.isSafeInteger(id) || id < 1 || id === waypoint.id) throw wrongField('into')
      const found = await readFountain(id)
      if (!('waypoint' in found)) throw wrongField('into')
      other = found.waypoint
    },
  })
  if (isChosen && other) await mergeTwo(setting, waypoint, other)
}

/** Marks two fountains as distinct after a confirmation: they are never suggested again, and it cannot be undone. */
export async function distinguish(setting: Setting, one: Waypoint, other: Waypoint): Promise<void> {
  const isDone = await ask({
    title: desk.distinct,
    text: desk.distinctText,
    confirm: desk.distinct,
    work: () => send('POST', `/waypoints/${one.id}/distinct`, { body: { from: other.id } }),
  })
  if (isDone) setting.settle(desk.did.distinct)
}

/** How far apart and how alike two are. */
export const likeness = (metres: number, score: number, name: string): string =>
  fill(desk.why.duplicates, {
    distance: distanceWords(metres),
    name: format.isolate(name),
    share: format.percent(score),
  })
