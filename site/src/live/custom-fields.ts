import { customFieldsOf } from '../custom-fields.ts'
import { element } from '../map/card/markup.ts'
import { record } from './entries.ts'
import type { Wording } from './wording.ts'

/** More than the longest text of a custom field. */
const longestText = 20_000

/**
 * Shows the current custom fields of a fountain: declared ones first, in their order, then older ones.
 *
 * @param given the custom fields of an entry: an object, or null for none
 */
export function showCustomFields(
  article: HTMLElement,
  given: unknown,
  { custom }: Pick<Wording, 'custom'>,
): void {
  for (const row of article.querySelectorAll('[data-property]')) row.remove()
  const before = article.querySelector('dt[data-t="waypoint.source"]')?.parentElement
  for (const { name, title, text } of customFieldsOf(record(given) ?? {}, custom)) {
    const value = element('dd', {}, element('bdi', {}, text.slice(0, longestText)))
    before?.before(
      element('div', { 'data-property': name }, element('dt', {}, element('bdi', {}, title)), value),
    )
  }
}
