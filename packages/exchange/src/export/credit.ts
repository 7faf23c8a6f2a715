import { attributionLine } from '@openfountain/core'
import type { Edition } from './edition.ts'
import type { Subject } from './format.ts'
import { consenting } from '@openfountain/core/internal'

/**
 * The licence of a file of an edition and its credits, as members of JSON. Data about the registry itself, such as
 * reviews and people, is its publisher's; everything else is also of the sources.
 */
export function creditOfFile(
  { license, publisher, attributions }: Edition,
  subject: Subject,
): { readonly license: string; readonly attribution: string } {
  const isOwn = subject === 'registry'
  const own = consenting({ name: publisher.author }, publisher).name
  return { license, attribution: isOwn ? own : attributionLine(attributions) }
}

/** The same as the text of members that follow others. */
export const creditText = (edition: Edition, subject: Subject): string =>
  `,${JSON.stringify(creditOfFile(edition, subject)).slice(1, -1)}`
