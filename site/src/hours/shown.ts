import { fill, type Format } from '../messages.ts'
import { openingNow } from './open-now.ts'
import { isAlways, parseHours } from './parse.ts'
import type { Strings } from './season.ts'
import { clock, hoursWords } from './words.ts'

/** Opening hours in words, with whether it is open now where that is certain; else the text as it is, with its notation. */
export function shownHours(
  strings: Strings,
  format: Format,
  text: string,
  at: { readonly longitude: number; readonly isNear?: boolean },
  now = new Date(),
): string {
  const [hours, words] = [parseHours(text), hoursWords(strings, format, text)]
  if (hours === undefined || words === undefined)
    return `${format.isolate(text)} (${strings['hours.asIs'] ?? ''})`
  if (isAlways(hours)) return words
  const opening = openingNow(hours, {
    longitude: at.longitude,
    now,
    ...(at.isNear && { zone: -now.getTimezoneOffset() }),
  })
  if (opening === undefined) return words
  const { isOpen, opensAt } = opening
  const state = isOpen
    ? strings['hours.openNow']
    : opensAt === undefined
      ? strings['hours.closedNow']
      : fill(strings['hours.opensAt'] ?? '', { time: clock(format.tag, opensAt) })
  return `${words} · ${state ?? ''}`
}
