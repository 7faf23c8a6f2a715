import { attributionLine } from '@openfountain/core'
import { creditOf, partyText } from '@openfountain/core/internal'
import { licenceOf, type Licence } from '../../licences/licences.ts'
import type { Edition } from '../edition.ts'
import type { SourceRecord } from '../snapshot.ts'

const demands: Readonly<Record<Licence['asks'][number], string>> = {
  attribution: 'Name the sources: ATTRIBUTION.md has the words.',
  'share-alike': 'Hand on what you make of it under the same licence.',
  'non-commercial': 'Do not use it commercially.',
  'no-derivatives': 'Do not publish changed versions.',
}

/** LICENSE.txt: the licence of the files, the address of its text, and its conditions in short. */
export function licenseNotice(edition: Edition): string {
  const { license, publisher, fictional, attributions } = edition
  const known = licenceOf(license)
  const asks = known?.asks ?? []
  const paragraphs = [
    `${oneLine(publisher.name)}, published by ${oneLine(publisher.author)}`,
    ...(fictional ? ['The records are made up. Do not look for these fountains.'] : []),
    known
      ? `These files are made available under:\n\n  ${known.title}\n  SPDX-License-Identifier: ${known.id}\n  ${known.url}`
      : `These files are made available under this licence:\n\n  ${oneLine(license)}`,
    ...(known
      ? [asks.length === 0 ? 'Nothing is asked of you.' : asks.map((ask) => demands[ask]).join('\n')]
      : []),
    `Data: ${attributionLine(attributions)}`,
    'Each record carries the licence of its own source in the column "license" and whom to name in the column\n' +
      '"attribution".',
  ]
  return `${paragraphs.join('\n\n')}\n`
}

export function attributionNotice(
  edition: Edition,
  sources: readonly SourceRecord[],
  photos: readonly PhotoCredit[] = [],
): string {
  const { publisher, license, snapshot } = edition
  const intro = [
    `# Attribution`,
    `Data: ${inline(publisher.name)}, published by ${inline(publisher.author)}, ${licenceLink(license)}` +
      `, as of ${snapshot.dataTime}.`,
    sources.length === 0
      ? 'Every record was contributed to this registry.'
      : 'It contains records of these sources, mapped to common columns, merged where they describe the same ' +
        'fountain, and corrected by contributors:',
  ]
  const list = sources.map(
    (source) =>
      `- ${inline(partyText(creditOf(source)))}` +
      (creditOf(source).name.startsWith(source.name) ? '' : ` (${inline(source.name)})`) +
      `, ${licenceLink(source.license)}` +
      addressesOf(source)
        .map((url) => `, <${url.replaceAll('>', '%3E').replaceAll('<', '%3C')}>`)
        .join('') +
      (source.published === undefined ? '' : `, published ${source.published}`) +
      (source.lastImport === undefined ? '' : `, imported ${source.lastImport}`),
  )
  const line = ['In one line:', `> ${inline(attributionLine(edition.attributions))}`]
  const credits = photos.map(
    ({ author, license, count }) =>
      `- ${inline(author)}, ${licenceLink(license)}: ${count} ${count === 1 ? 'photo' : 'photos'}`,
  )
  const pictures = ['Photos have authors and licences of their own, which photos.ndjson names for each:']
  return `${[
    ...intro,
    ...(list.length > 0 ? [list.join('\n')] : []),
    ...line,
    ...(credits.length > 0 ? [...pictures, credits.join('\n')] : []),
  ].join('\n\n')}\n`
}

export interface PhotoCredit {
  readonly author: string
  readonly license: string
  readonly count: number
}

/** The address that the source wants its attribution to link to, and the one where it is published. */
function addressesOf(source: SourceRecord): string[] {
  const { url } = creditOf(source)
  const published = source.url === undefined ? undefined : (URL.parse(source.url)?.href ?? source.url)
  return [...new Set([url, published])].filter((each) => each !== undefined)
}

function licenceLink(license: string): string {
  const known = licenceOf(license)
  return known ? `[${known.id}](${known.url})` : inline(license)
}

const oneLine = (text: string): string => text.replaceAll(/\s+/gu, ' ')

/** Text escaped for Markdown and the HTML that is made of it. */
function inline(text: string): string {
  return oneLine(text)
    .replaceAll(/[\\`*_{}[\]()#+!|~]/gu, String.raw`\$&`)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
}
