import { useState } from 'preact/hooks'
import { useField } from '../../ui/form.tsx'
import type { Setting } from '../setting.ts'

/** Of a leap year, which has all possible days of a season. */
const daysOf = (month: string): number =>
  month === '' ? 31 : new Date(Date.UTC(2000, Number(month), 0)).getUTCDate()

const numbers = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => String(index + 1).padStart(2, '0'))

export function seasonTexts(value: unknown): readonly string[] {
  const days = typeof value === 'string' ? value.split('/') : []
  return [0, 1].flatMap((at) => {
    const [month = '', day = ''] = days[at]?.split('-') ?? []
    return [day, month].map((text) => text.replace('?', ''))
  })
}

/** A season from its texts; a part that is not chosen is `?`, which is no season. */
export function seasonOf(texts: readonly string[]): string {
  const [day, month, lastDay, lastMonth] = texts.map((text) => text || '?')
  return `${month}-${day}/${lastMonth}-${lastDay}`
}

export function SeasonField({
  setting,
  label,
  hint,
  name,
  texts,
}: {
  readonly setting: Setting
  readonly label: string
  readonly hint: string | undefined
  readonly name: string
  readonly texts: readonly string[]
}) {
  const { format, words, page } = setting
  const { seasonFrom, seasonTo, day, month } = words.contribute
  const { control, notes } = useField(name, hint)
  const [months, setMonths] = useState([texts[1] ?? '', texts[3] ?? ''])
  const names = new Intl.DateTimeFormat(format.tag, { month: 'long', timeZone: 'UTC' })
  const options = (values: readonly string[], chosen: string | undefined, textOf: (n: number) => string) => [
    <option value="">–</option>,
    ...values.map((value) => (
      <option key={value} value={value} selected={value === chosen}>
        {textOf(Number(value))}
      </option>
    )),
  ]
  return (
    <fieldset class="field">
      <legend>{label}</legend>
      {[seasonFrom, seasonTo].map((side, at) => (
        <div key={side} class="contribute-day">
          <span aria-hidden="true">{side}</span>
          <select {...control} aria-label={page.text('site.labelled', { label: side, text: day })}>
            {options(numbers(daysOf(months[at] ?? '')), texts[2 * at], String)}
          </select>
          <select
            {...control}
            aria-label={page.text('site.labelled', { label: side, text: month })}
            onChange={({ currentTarget: { value } }) => setMonths(months.with(at, value))}
          >
            {options(numbers(12), texts[2 * at + 1], (n) => names.format(new Date(Date.UTC(2000, n - 1, 1))))}
          </select>
        </div>
      ))}
      {notes}
    </fieldset>
  )
}
