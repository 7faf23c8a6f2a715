import type { Judgement, Origin } from '@openfountain/exchange'
import { inert } from './inert.ts'

/** A name as it is printed: quoted, so that it can be pasted into a shell. */
export function quoted(name: string): string {
  const text = inert(name)
  return /["$`\\!]/u.test(text) ? `'${text.replaceAll("'", String.raw`'\''`)}'` : `"${text}"`
}

/** The known name that somebody gave as it was printed, or in another Unicode form; the given one if there is none. */
export function asKept(given: string, names: readonly string[]): string {
  const spelled = given.normalize('NFC').trim()
  return names.find((name) => name === spelled || inert(name) === spelled) ?? given
}

/** What can be done about a source whose licence is not compatible. */
export interface WaysOut {
  /** A licence for the registry that all of its sources allow, when there is one. */
  readonly registryLicense?: string | undefined
  /** A licence for the export alone, when there is one. */
  readonly exportLicense?: string | undefined
  /** Names of what can be published with written consent. */
  readonly permissible: readonly string[]
  /** The name of a source whose imports can be undone instead. */
  readonly removable?: string | undefined
}

/** A line for each of them, with its option. */
export function wayLines({ registryLicense, exportLicense, permissible, removable }: WaysOut): string[] {
  const ways: (readonly [option: string, effect: string])[] = []
  if (registryLicense !== undefined)
    ways.push([
      `--registry-license ${inert(registryLicense)}`,
      'puts the registry, and what people contribute to it, under a licence that its sources allow; for every command: OPENFOUNTAIN_LICENSE',
    ])
  if (exportLicense !== undefined)
    ways.push([`--license ${inert(exportLicense)}`, 'puts this export alone under another licence'])
  ways.push(['--split-by-license', 'writes a set of files for each licence; a site can be built from them'])
  if (permissible.length > 0)
    ways.push([
      permissible.map((name) => `--permitted ${quoted(name)}`).join(' '),
      'includes it, with the written consent of the source',
    ])
  if (removable !== undefined)
    ways.push([`openfountain source remove ${quoted(removable)}`, 'undoes its imports'])
  return ways.map(([option, effect]) => `  ${option}: ${effect}`)
}

/** Why one licence is not compatible with another, on one line. */
export function judgementText({ verdict, reason, source }: Judgement): string {
  return `${verdict === 'permission' ? 'needs permission' : 'not compatible'}. ${inert(reason)} (${inert(source)})`
}

/** What came from an origin, such as `12 waypoints`. */
export function amountText({ waypoints, reviews = 0 }: Pick<Origin, 'waypoints' | 'reviews'>): string {
  const counts = [
    [waypoints, 'waypoint'],
    [reviews, 'review'],
  ] as const
  const shown = counts.filter(([count]) => count > 0)
  return shown.map(([count, noun]) => `${count} ${noun}${count === 1 ? '' : 's'}`).join(' and ')
}
