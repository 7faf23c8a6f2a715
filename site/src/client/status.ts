import type { Labels } from '../build/labels.ts'
import { onLanguage } from '../api/site.ts'
import { shownHours } from '../hours/shown.ts'
import { seasonWords } from '../hours/season.ts'
import { formatFor, type Format } from '../messages.ts'
import { labelsOf } from './labels-of.ts'
import { readStages, stageOn, today, type Stage, type Stages } from '../status/stage.ts'
import { aged, iconOf, statusText, shortOf, toneOf } from '../status/words.ts'

/** The current status of fountains, in the language of the page; without scripts it is that of the build, with its date. */

const root = document.documentElement
let built = root.lang

const stagesIn = ({ dataset }: HTMLElement): Stages => readStages(dataset['stages'] ?? '')

const all = (selector: string): HTMLElement[] =>
  [...document.querySelectorAll<HTMLElement>(selector)].filter((one) => !one.closest('[data-rendered]'))

let hasTold = false

async function show(): Promise<void> {
  const { lang } = root
  const format = formatFor(lang)
  const day = today()
  const places = all('[data-stages]')
  const others = all('[data-hours],[data-season]')
  const isAsBuilt = !hasTold && lang === built && places.every((place) => isSame(place, day))
  if (isAsBuilt) for (const place of places) tellAge(place, format, day)
  if (isAsBuilt && others.every(({ dataset }) => dataset['hours'] === undefined)) return
  const labels = await labelsOf(lang)
  if (root.lang !== lang) return
  hasTold = true
  for (const place of places) tell(place, stageOn(stagesIn(place), day), labels, format)
  for (const place of others) {
    const { hours, season, longitude } = place.dataset
    if (season !== undefined) place.textContent = seasonWords(labels.strings, format, season)
    if (hours !== undefined)
      place.textContent = shownHours(labels.strings, format, hours, { longitude: Number(longitude) })
  }
}

/** Whether the text of an element is still right. */
function isSame(place: HTMLElement, day: string): boolean {
  const stages = stagesIn(place)
  return stageOn(stages, day) === stages[0]
}

function tellAge(place: HTMLElement, format: Format, today: string): void {
  const { said: text, day } = place.dataset
  if (text !== undefined) write(place, aged(format, { text, day }, today))
}

function tell(
  place: HTMLElement,
  stage: Stage | undefined,
  { strings, counts }: Labels,
  format: Format,
): void {
  const { state = 'unconfirmed' } = stage ?? {}
  const isShort = place.dataset['short'] !== undefined
  const text = isShort
    ? shortOf(strings, state)
    : aged(format, statusText(strings, counts, format, stage), today())
  place.hidden = text === undefined
  if (text === undefined) return
  place.dataset['state'] = state
  if (!isShort) place.className = `status ${toneOf(state)}`
  const drawing = place.querySelector('use')
  drawing?.setAttribute('href', `${drawing.getAttribute('href')?.split('#')[0] ?? ''}#${iconOf(state)}`)
  write(place, text)
}

function write(place: HTMLElement, text: string): void {
  const words = place.querySelector('span')
  if (words) words.textContent = text
}

/** When the texts cannot be loaded, the page stays as it is. */
const begin = (): void => void show().catch(() => undefined)

/** Updates the page now, and after each change of its language. @param language of the built page */
export function follow(language: string): void {
  built = language
  begin()
  onLanguage(begin)
}
