import { element } from '../../map/card/markup.ts'
import { fill } from '../../messages.ts'
import type { Setting } from '../setting.ts'
import { mark, type Control } from './control.ts'

/** Of a leap year, which has all possible days of a season. */
const daysOf = (month: number): number => new Date(Date.UTC(2000, month, 0)).getUTCDate()
const twoDigits = (n: number): string => String(n).padStart(2, '0')

/** The first and the last day of a season: two days of the year, or none. */
export class Season implements Control {
  readonly name: string
  readonly root: HTMLElement
  readonly #days: readonly [Day, Day]
  readonly #problem = element('p', { class: 'contribute-problem' })

  constructor(setting: Setting, name: string, label: string, hint: string) {
    const { seasonFrom, seasonTo } = setting.words.contribute
    this.name = name
    this.#days = [new Day(setting, seasonFrom), new Day(setting, seasonTo)]
    this.root = element(
      'fieldset',
      { class: 'contribute-field contribute-season' },
      element('legend', {}, label),
      ...this.#days.map(({ root }) => root),
      this.#problem,
      element('p', { class: 'faint' }, hint),
    )
  }

  /** A partly chosen day becomes `?`, which is no season. */
  get value(): unknown {
    const [from, to] = this.#days.map(({ value }) => value)
    return from === '' && to === '' ? undefined : `${from}/${to}`
  }

  set value(given: unknown) {
    const [from = '', to = ''] = typeof given === 'string' ? given.split('/') : []
    this.#days[0].value = from
    this.#days[1].value = to
  }

  get problem(): string {
    return this.#problem.textContent
  }

  set problem(text: string) {
    mark(this.root.querySelectorAll('select'), this.#problem, text)
  }

  focus(): void {
    this.root.querySelector('select')?.focus()
  }
}

class Day {
  readonly root: HTMLElement
  readonly #month: HTMLSelectElement
  readonly #day: HTMLSelectElement

  constructor({ format, words }: Setting, label: string) {
    const { day, month } = words.contribute
    const labelled = (text: string) => fill(words.labelled, { label, text })
    const names = new Intl.DateTimeFormat(format.tag, { month: 'long', timeZone: 'UTC' })
    const none = () => element('option', { value: '' }, '–')
    this.#day = element('select', { 'aria-label': labelled(day) }, none())
    this.#month = element(
      'select',
      { 'aria-label': labelled(month) },
      none(),
      ...Array.from({ length: 12 }, (_, index) =>
        element('option', { value: twoDigits(index + 1) }, names.format(new Date(Date.UTC(2000, index, 1)))),
      ),
    )
    this.#fill()
    this.#month.addEventListener('change', () => this.#fill())
    this.root = element(
      'div',
      { class: 'contribute-day' },
      element('span', { 'aria-hidden': 'true' }, label),
      this.#day,
      this.#month,
    )
  }

  get value(): string {
    const [month, day] = [this.#month.value, this.#day.value]
    if (month === '' && day === '') return ''
    return `${month === '' ? '?' : month}-${day === '' ? '?' : day}`
  }

  set value(given: string) {
    const [month = '', day = ''] = given.split('-')
    this.#month.value = month
    this.#fill()
    this.#day.value = day
  }

  /** Only days that the month has. */
  #fill(): void {
    const chosen = this.#day.value
    const count = this.#month.value === '' ? 31 : daysOf(Number(this.#month.value))
    const [none] = this.#day.options
    this.#day.replaceChildren(
      ...(none ? [none] : []),
      ...Array.from({ length: count }, (_, index) =>
        element('option', { value: twoDigits(index + 1) }, String(index + 1)),
      ),
    )
    this.#day.value = Number(chosen) > count ? '' : chosen
  }
}
