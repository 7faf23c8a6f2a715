import { fill, formatFor } from '../../messages.ts'
import type { DeskConfig } from '../config.ts'
import { elementBy } from '../../client/element-by.ts'

export { elementBy }

export const config: DeskConfig = JSON.parse(elementBy('#desk-config').textContent)
export const { words, pages } = config
export const { desk } = words
export const format = formatFor(config.tag)

/** A text with user text inserted. */
export const withName = (text: string, name: string, more: Readonly<Record<string, string>> = {}): string =>
  fill(text, { ...more, name: format.isolate(name) })

/** A day with its time in UTC. */
/** A label with its object, joined as the language does. */
export const labelled = (label: string, text: string): string => fill(words.labelled, { label, text })

export const moment = (iso: string): string => `${format.date(iso)}, ${format.time(iso)}`

/** A distance in words: to the metre where it decides about duplicates. */
export const distanceWords = (metres: number): string =>
  metres < 100
    ? fill(words.distances['map.distanceMetres'], { n: format.number(Math.round(metres)) })
    : format.distance({ ...words.distances }, metres)

/** The address of a fountain on the map. */
export const onMap = ({
  id,
  latitude,
  longitude,
}: {
  readonly id: number
  readonly latitude: number
  readonly longitude: number
}): string =>
  `${pages.home}?at=${Number(latitude.toFixed(5))},${Number(longitude.toFixed(5))},17&fountain=${id}`
