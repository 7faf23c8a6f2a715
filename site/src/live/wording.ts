import type { Labels } from '../build/labels.ts'
import { kinds } from '../map/card/icons.ts'
import { element } from '../map/card/markup.ts'
import { formatFor, type Format } from '../messages.ts'
import { shownName, type Nameable } from '../naming.ts'

/** The texts and formats of a page. */
export interface Wording extends Labels {
  readonly format: Format
}

let read: { readonly tag: string; readonly wording: Promise<Wording> } | undefined

/** The texts of the page's current language, which may have changed. @throws when they cannot be read */
export async function wordingOf({
  base,
  tag,
}: {
  readonly base: string
  readonly tag: string
}): Promise<Wording> {
  if (read?.tag !== tag) {
    const wording = fetch(`${base}languages/${tag}.json`).then(async (response) => {
      const labels = (await response.json()) as Labels
      return { ...labels, format: formatFor(tag) }
    })
    read = { tag, wording }
    wording.catch(() => (read = undefined))
  }
  return read.wording
}

/** A label that is translated with the page. */
export function label({ strings }: Pick<Wording, 'strings'>, key: string): HTMLElement {
  return element('span', { 'data-t': key }, strings[key] ?? '')
}

/** The title of a fountain: its own name, else its kind and place. */
export function nameIn({ strings }: Pick<Wording, 'strings'>, fountain: Nameable): string {
  return shownName(fountain, kinds, {
    unnamed: strings['waypoint.unnamed'] ?? '',
    amenity: (key) => strings[`amenity.${key}`] ?? key,
  })
}
