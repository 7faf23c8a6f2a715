import { hoursWords } from '../hours/words.ts'
import { seasonWords } from '../hours/season.ts'
import type { Stage } from '../status/stage.ts'
import { dated, iconOf, statusText, shortOf, type StatusText, type Strings } from '../status/words.ts'
import { isIcon, type IconName } from './icons.ts'
import type { View } from './view.ts'

/** The texts of a page about the status and opening of a fountain, in its language. */

const flat = new WeakMap<View['m'], Strings>()

function stringsOf({ m }: View): Strings {
  const known = flat.get(m)
  if (known) return known
  const strings = Object.fromEntries([
    ['site.labelled', m.site.labelled],
    ...Object.entries(m.status).map(([key, text]) => [`status.${key}`, text]),
    ...Object.entries(m.hours).map(([key, text]) => [`hours.${key}`, text]),
  ])
  flat.set(m, strings)
  return strings
}

/** A stage as a sentence with a placeholder for its day, which a script replaces by an age. */
export const stageText = (view: View, stage: Stage): StatusText | undefined =>
  statusText(stringsOf(view), view.m.count, view.f, stage)

/** A stage as a sentence that stays right, with its date. */
export function datedStage(view: View, stage: Stage): string | undefined {
  const statusLine = stageText(view, stage)
  return statusLine && dated(stringsOf(view), view.f, statusLine)
}

/** A stage in a word or two; undefined for an unconfirmed one. */
export const shortStage = (view: View, { state }: Stage): string | undefined =>
  shortOf(stringsOf(view), state)

/** The icon of a stage. */
export function iconOfStage(stage: Stage | undefined): IconName {
  const name = iconOf(stage?.state ?? 'unconfirmed')
  return isIcon(name) ? name : 'history'
}

/** Opening hours in words, else undefined. */
export const hoursText = (view: View, text: string): string | undefined =>
  hoursWords(stringsOf(view), view.f, text)

export const seasonText = (view: View, season: string): string => seasonWords(stringsOf(view), view.f, season)
