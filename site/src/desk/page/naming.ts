import { kinds } from '../../map/card/icons.ts'
import { shownName, type Nameable } from '../../naming.ts'
import { words } from './config.ts'

const amenities: Readonly<Record<string, string>> = words.amenity

/** The title of a fountain in the reader's language: its own name, else its kind and place. */
export const fountainName = (fountain: Pick<Nameable, 'name'> & Partial<Nameable>): string =>
  shownName({ amenities: [], ...fountain }, kinds, {
    unnamed: words.unnamed,
    amenity: (key) => (Object.hasOwn(amenities, key) ? (amenities[key] ?? key) : key),
  })
