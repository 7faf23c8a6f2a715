import { customText } from '../custom-text.ts'
import { element } from '../map/card/markup.ts'
import { record } from './entries.ts'

/** More of a text than a custom field can have. */
const longestText = 20_000

/**
 * Shows the custom fields of a fountain as they are now, with the titles that the page has.
 *
 * @param given what an entry says of them: an object, or null for none
 */
export function showCustomFields(article: HTMLElement, given: unknown): void {
  const rows = [...article.querySelectorAll<HTMLElement>('[data-property]')]
  const titles = new Map(rows.map((row) => [row.dataset['property'], row.querySelector('dt')?.textContent]))
  for (const row of rows) row.remove()
  const before = article.querySelector('dt[data-t="waypoint.source"]')?.parentElement
  for (const [name, value] of Object.entries(record(given) ?? {})) {
    const text = customText(value).slice(0, longestText)
    if (text === '') continue
    const title = element('dt', {}, element('bdi', {}, titles.get(name) ?? name))
    const row = element('div', { 'data-property': name }, title, element('dd', {}, element('bdi', {}, text)))
    before?.before(row)
  }
}
