import type { StateOfWaypoint } from '@openfountain/core/status'
import type { IconName } from '../build/icons.ts'
import { fill, type Format } from '../messages.ts'
import type { Counts, Texts } from '../texts.ts'
import { isDry, type Stage } from './stage.ts'

/** A sentence about a fountain with a placeholder `{when}` for its day. */
export interface StatusText {
  readonly text: string
  readonly day?: string
}

export function statusText(
  strings: Texts,
  counts: Counts,
  format: Format,
  stage: Stage | undefined,
): StatusText {
  if (!isKnown(stage)) return { text: strings['status.unknown'] ?? '' }
  const { state, people, back, contradicted } = stage
  const day = state === 'works' || state === 'unconfirmed' ? stage.confirmed : stage.since
  const by = people > 0 && counts['byPeople'] ? format.count(counts['byPeople'], people) : ''
  const known = strings[`status.${keyOf(stage)}`] ?? state
  const undated = day === undefined && { when: strings['status.undated'] ?? '' }
  const text = fill(known, { by, ...(back !== undefined && { date: format.date(back) }), ...undated })
    .replaceAll(/ {2,}/gu, ' ')
    .trim()
  const more = contradicted ? ` · ${strings['status.contradicted'] ?? ''}` : ''
  return { text: `${text}${more}`, day }
}

export const isKnown = (stage: Stage | undefined): stage is Stage =>
  stage !== undefined && (stage.state !== 'unconfirmed' || stage.confirmed !== undefined)

function keyOf({ state, people, back }: Stage): string {
  switch (state) {
    case 'off':
      return back === undefined ? 'off' : 'offUntil'
    case 'works':
      return people === 0 ? 'worksBySource' : 'works'
    case 'broken':
      return people === 0 ? 'brokenBySource' : 'broken'
    default:
      return state
  }
}

/** A sentence with its day written out, such as “Works: confirmed on 20 November 2026 by 2 people”. */
export const dated = (strings: Texts, format: Format, { text, day }: StatusText): string =>
  fill(text, {
    when: day === undefined ? '' : fill(strings['status.on'] ?? '{date}', { date: format.date(day) }),
  })

/** The same with an age, such as “Works: confirmed 3 days ago by 2 people”. */
export function aged({ tag }: Pick<Format, 'tag'>, { text, day }: StatusText, today: string): string {
  return fill(text, { when: day === undefined ? '' : ago(tag, day, today) })
}

const dayMilliseconds = 86_400_000

/** The age of a day, in days up to a fortnight, then in weeks, months and years. */
export function ago(tag: string, day: string, today: string): string {
  const days = Math.max(0, Math.round((Date.parse(today) - Date.parse(day)) / dayMilliseconds))
  const format = new Intl.RelativeTimeFormat(tag, { numeric: 'auto' })
  if (days < 14) return format.format(-days, 'day')
  if (days < 61) return format.format(-Math.floor(days / 7), 'week')
  if (days < 730) return format.format(-Math.floor(days / 30.44), 'month')
  return format.format(-Math.floor(days / 365.25), 'year')
}

/** A word or two about a state, for lists; the keys of the section `status` begin with `short`. */
export const shortOf = (strings: Texts, state: StateOfWaypoint): string | undefined =>
  strings[`status.short${state.charAt(0).toUpperCase()}${state.slice(1)}`]

export const iconOf = (state: StateOfWaypoint): IconName =>
  state === 'gone' ? 'broken' : state === 'unconfirmed' ? 'history' : state

export const toneOf = (state: StateOfWaypoint): string =>
  state === 'works'
    ? 'tag-verified'
    : state === 'off' || state === 'unconfirmed'
      ? ''
      : isDry(state)
        ? 'tag-danger'
        : 'tag-warm'
