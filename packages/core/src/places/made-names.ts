import { distinctive } from './names.ts'

/** The parts of a made name besides the kind of the fountain. */
export interface MadeName {
  /** The street or the place after the kind; absent for coordinates. */
  readonly where?: string
}

/** Words for kinds in names that the site's form makes, in its languages; folded, as `distinctive` leaves them. */
const kindWords = new Set(
  (
    'running|sparkling|trinksprudler|sprudler|flaschenfuller|wasserhahn|zieh|lauf|handpumpe|' +
    'bebedero|rellenador|botellas|grifo|manantial|pozo|bomba|mano|cano|continuo|' +
    'jet|remplissage|bouteilles|robinet|puits|pompe|main|continu|' +
    'zampillo|riempi|bottiglie|rubinetto|pozzo|pompa|getto'
  ).split('|'),
)

const isKind = (text: string): boolean =>
  distinctive(text)
    .split(' ')
    .every((word) => word === '' || kindWords.has(word))

/** Imports write four decimals after “at”, the site's form five after a comma. */
const atPosition = /(?: at|,) -?\d{1,2}\.\d{4,5}, -?\d{1,3}\.\d{4,5}$/u

/**
 * The parts of a name made for a nameless fountain: its kind, and a street, a place or coordinates. Made names are
 * recognised by their text alone, so that the log, exports and browsers agree.
 *
 * @returns undefined for a name given by somebody
 * @example
 * madeName('Tap, Rue de la Paix 5') // { where: 'Rue de la Paix 5' }
 * madeName('Drinking fountain at 48.8225, 2.3087') // {}
 * madeName('') // {}
 * madeName('Löwenbrunnen, Marktplatz') // undefined
 */
export function madeName(name: string): MadeName | undefined {
  if (name === '') return {}
  const comma = name.indexOf(', ')
  if (comma === -1) return undefined
  if (atPosition.test(name)) return {}
  if (comma === 0 || !isKind(name.slice(0, comma))) return undefined
  const where = name.slice(comma + 2).trim()
  return where === '' ? {} : { where }
}

/** Whether a name was made for a fountain which has none; see `madeName`. */
export const isMadeName = (name: string): boolean => madeName(name) !== undefined
