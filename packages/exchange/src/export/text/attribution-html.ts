import type { Attribution } from '@openfountain/core'
import { partyText } from '@openfountain/core/internal'
import { licenceOf } from '../../licences/licences.ts'

/** Attributions as HTML, with links to the credited parties and to the texts of the licences. */
export function attributionHtml(attributions: readonly Attribution[]): string {
  return attributions
    .map(({ license, parties }) =>
      [
        ...parties.map((party) => linked(partyText(party), party.url)),
        linked(license, licenceOf(license)?.url),
      ].join(', '),
    )
    .join('; ')
}

const linked = (text: string, url: string | undefined): string =>
  url === undefined ? escaped(text) : `<a href="${escaped(url)}">${escaped(text)}</a>`

/** Text that HTML shows as it is, in an element or in an attribute in double quotes. */
export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
