import type { Judgement, Origin } from '@openfountain/exchange'
import { inert } from './inert.ts'

/** A name as it is printed: in quotes with which a shell takes it back as it stands. */
export function quoted(name: string): string {
  const text = inert(name)
  return /["$`\\!]/u.test(text) ? `'${text.replaceAll("'", String.raw`'\''`)}'` : `"${text}"`
}

/** The name among those there are that a person gave as it was printed, or in another Unicode form; else as given. */
export function asKept(given: string, names: readonly string[]): string {
  const spelled = given.normalize('NFC').trim()
  return names.find((name) => name === spelled || inert(name) === spelled) ?? given
}

/** What can be done about a source that a licence does not carry. */
export interface WaysOut {
  /** A licence of the registry that carries all of its sources, when there is one. */
  readonly registryLicense?: string | undefined
  /** A licence for the export alone, when there is one. */
  readonly exportLicense?: string | undefined
  /** Names of what can be published with written consent. */
  readonly permissible: readonly string[]
}

/** A line for each way out, with the name of the option that takes it. */
export function wayLines({ registryLicense, exportLicense, permissible }: WaysOut): string[] {
  const ways: (readonly [option: string, effect: string])[] = []
  if (registryLicense !== undefined)
    ways.push([
      `--registry-license ${inert(registryLicense)}`,
      'the registry, and what people contribute to it, is under a licence that carries its sources; for every command: OPENFOUNTAIN_LICENSE',
    ])
  if (exportLicense !== undefined)
    ways.push([`--license ${inert(exportLicense)}`, 'this export alone is under another licence'])
  ways.push(['--split-by-license', 'an export has one set of files a licence; a site can be built from it'])
  if (permissible.length > 0)
    ways.push([
      permissible.map((name) => `--permitted ${quoted(name)}`).join(' '),
      'an export holds it all the same, with the written consent of the source',
    ])
  return ways.map(([option, effect]) => `  ${option}: ${effect}`)
}

/** Why one licence does not carry another, on one line. */
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
