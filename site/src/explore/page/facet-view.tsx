import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { fill, type Format } from '../../messages.ts'
import type { ExploreConfig } from '../config.ts'
import type { Counts } from '../facets.ts'
import type { FacetColumn } from '../selection.ts'

/** Values of a column shown at first, and with each "more". */
const shownAtFirst = 12

export interface FacetProps {
  readonly column: FacetColumn
  readonly config: ExploreConfig
  readonly format: Format
  readonly counts: NonNullable<Counts[FacetColumn]>
  readonly chosen: readonly string[]
  choose(value: string, isChosen: boolean): void
}

export function Facet({ column, config, format, counts, chosen, choose }: FacetProps) {
  const [limit, setLimit] = useState(shownAtFirst)
  const [sought, setSought] = useState('')
  const list = useRef<HTMLUListElement>(null)
  const focused = document.activeElement
  useLayoutEffect(() => {
    // A row that was moved has lost the focus.
    const isMoved = focused !== document.activeElement && list.current?.contains(focused)
    if (isMoved && focused instanceof HTMLElement) focused.focus({ preventScroll: true })
  })
  useLayoutEffect(() => {
    const index = limit - shownAtFirst * 4
    if (index > 0) list.current?.children[index]?.querySelector('input')?.focus()
  }, [limit])
  const names = config.names[column] ?? {}
  const nameOf = (value: string): string => {
    if (Object.hasOwn(names, value)) return names[value] ?? value
    if (value === '') return config.words.notGiven
    return column === 'country' ? format.country(value) : value
  }
  const all = [
    ...chosen.flatMap((value) => (counts.some(([each]) => each === value) ? [] : [[value, 0] as const])),
    ...counts,
  ].toSorted(([one], [other]) => Number(chosen.includes(other)) - Number(chosen.includes(one)))
  const hasSearch = useRef(false)
  hasSearch.current ||= all.length > shownAtFirst
  const words = sought.trim().toLowerCase()
  const found = all.filter(([value]) => words === '' || nameOf(value).toLowerCase().includes(words))
  const most = Math.max(1, ...found.map(([, waypoints]) => waypoints))
  const more = found.length - limit
  return (
    <fieldset class="box field explore-facet" data-column={column}>
      <legend>{config.columns[column]}</legend>
      <input
        type="search"
        aria-label={fill(config.words.find, { column: config.columns[column] })}
        placeholder={config.words.findShort}
        autoComplete="off"
        hidden={!hasSearch.current}
        onInput={({ currentTarget }) => setSought(currentTarget.value)}
      />
      <ul class="explore-values" ref={list}>
        {found.slice(0, limit).map(([value, waypoints]) => (
          <li key={value}>
            <label>
              <input
                type="checkbox"
                checked={chosen.includes(value)}
                onChange={({ currentTarget }) => choose(value, currentTarget.checked)}
              />
              <bdi>{nameOf(value)}</bdi>
              <svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
                <rect class="bar-part" height={10} rx={0.6} width={(100 * waypoints) / most} />
              </svg>
              <span class="number">{format.number(waypoints)}</span>
            </label>
          </li>
        ))}
      </ul>
      <button
        type="button"
        class="text-button"
        hidden={more <= 0}
        onClick={() => setLimit(limit + shownAtFirst * 4)}
      >
        {format.count(config.words.more, Math.max(more, 0))}
      </button>
    </fieldset>
  )
}
