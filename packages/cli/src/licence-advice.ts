import type { Registry } from '@openfountain/core'
import type { Judgement, Origin } from '@openfountain/exchange'
import type { Context } from './command.ts'
import { inert } from './inert.ts'
import { CommandError } from './failure.ts'

export function quoted(name: string): string {
  const text = inert(name)
  return /["$`\\!]/u.test(text) ? `'${text.replaceAll("'", String.raw`'\''`)}'` : `"${text}"`
}

/** The known name for a printed name or another Unicode form of it, else the given one. */
export function registeredName(given: string, names: readonly string[]): string {
  const spelled = given.normalize('NFC').trim()
  return names.find((name) => name === spelled || inert(name) === spelled) ?? given
}

interface Remedies {
  readonly registryLicense?: string | undefined
  readonly exportLicense?: string | undefined
  readonly permissible: readonly string[]
  readonly removable?: string | undefined
}

export function remedyLines({ registryLicense, exportLicense, permissible, removable }: Remedies): string[] {
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

export const judgementText = ({ verdict, reason, source }: Judgement): string =>
  `${verdict === 'permission' ? 'needs permission' : 'not compatible'}. ${inert(reason)} (${inert(source)})`

export function amountText({ waypoints, reviews = 0 }: Pick<Origin, 'waypoints' | 'reviews'>): string {
  const counts = [
    [waypoints, 'waypoint'],
    [reviews, 'review'],
  ] as const
  const shown = counts.filter(([count]) => count > 0)
  return shown.map(([count, noun]) => `${count} ${noun}${count === 1 ? '' : 's'}`).join(' and ')
}

/** Warns when the registry's licence will block exports of a source, with the remedies. */
export async function warnOfLicence(
  {
    name,
    license,
    mayRemove,
  }: { readonly name: string; readonly license: string; readonly mayRemove: boolean },
  registry: Registry,
  { out }: Context,
): Promise<void> {
  const { commonLicences, judge } = await import('@openfountain/exchange')
  const judgement = judge(license, registry.license)
  if (judgement.verdict === 'yes') return
  const others = (await registry.sources.list()).filter((each) => each.waypoints > 0 && each.name !== name)
  const [registryLicense] = commonLicences([{ license }, ...others])
  out.note(
    [
      `Warning: the licence of this registry, ${registry.license}, does not carry ${quoted(name)} (${license}): ${judgementText(judgement)}`,
      'Exports under it will be refused. Ways out:',
      ...remedyLines({
        registryLicense,
        permissible: judgement.verdict === 'permission' ? [name] : [],
        removable: mayRemove ? name : undefined,
      }),
    ].join('\n'),
  )
}

/** The registry's name of a source. @throws CommandError notFound, with all sources */
export async function sourceNamed(registry: Registry, given: string): Promise<string> {
  const names = (await registry.sources.list()).map(({ name }) => name)
  const name = registeredName(given, names)
  if (names.includes(name)) return name
  const list = names.length === 0 ? 'there are none' : `the sources are ${names.map(quoted).join(', ')}`
  throw new CommandError('notFound', `source ${quoted(given)} not found; ${list}`, 'NOT_FOUND', { names })
}
