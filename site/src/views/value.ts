import { customText } from '../custom-fields.ts'
import { seasonWords } from '../hours/season.ts'
import type { Page } from './page.ts'

/** A value of a field as people read it; user text is unchanged. @param none the text of an empty one */
export function valueText(page: Page, field: string, value: unknown, none: string): string {
  if (value === null || value === undefined || value === '') return none
  if (Array.isArray(value)) return value.map((key) => page.amenity(String(key))).join(', ') || none
  if (typeof value === 'boolean') return customText(value)
  if (typeof value === 'object')
    return Object.entries(value)
      .map(([name, member]) => `${name}: ${customText(member)}`)
      .join('; ')
  const text = String(value)
  const isSeason = field === 'season'
  return (
    page.find(`fact.${field}.${text}`) ?? (isSeason ? seasonWords(page.strings, page.format, text) : text)
  )
}
