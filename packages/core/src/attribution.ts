/** A party to credit; its texts are one line each. */
export interface CreditedParty {
  readonly name: string
  /** Of http or https. */
  readonly url?: string
  /** The licence under which its data is published by its consent, where its own does not allow that. */
  readonly consentsTo?: string
  /** The day of its data, `YYYY-MM-DD`, where the licence asks for it. */
  readonly asOf?: string
}

/** A credited party in English words, such as `Club (published under ODbL-1.0 by consent), as of 2026-05-01`. */
export const partyText = ({ name, consentsTo, asOf }: CreditedParty): string =>
  name +
  (consentsTo === undefined ? '' : ` (published under ${consentsTo} by consent)`) +
  (asOf === undefined ? '' : `, as of ${asOf}`)

/** The parties whose data has the same licence, which is an SPDX id or a name. */
export interface Attribution {
  readonly license: string
  readonly parties: readonly CreditedParty[]
}

export interface Credited {
  /** The publisher, and the licence of contributions. */
  readonly publisher: {
    readonly author: string
    readonly license: string
    readonly consentsTo?: string | undefined
  }
  /** Whether waypoints or reviews were contributed to the registry itself. */
  readonly contributed: boolean
  /** The sources of the shown or exported data, each with its number of waypoints in it, where known. */
  readonly sources: readonly CreditedSource[]
}

export interface CreditedSource {
  readonly name: string
  readonly license: string
  readonly url?: string | null | undefined
  readonly attribution?: string | null | undefined
  readonly waypoints?: number | undefined
  /** The day on which it published its data, `YYYY-MM-DD`, where that is known. */
  readonly published?: string | null | undefined
  /** The licence under which its data is published by its written consent, where its own does not allow that. */
  readonly consentsTo?: string | undefined
}

/** How OpenStreetMap asks to be named: https://osmfoundation.org/wiki/Licence/Attribution_Guidelines */
export const openStreetMap: CreditedParty & { readonly url: string } = {
  name: '© OpenStreetMap contributors',
  url: 'https://www.openstreetmap.org/copyright',
}

interface WellKnownSource {
  readonly license: RegExp
  readonly named: RegExp
  readonly host: RegExp
  readonly wording: RegExp
  readonly party: CreditedParty & { readonly url: string }
}

const wellKnown: readonly WellKnownSource[] = [
  {
    license: /odbl|open database licen[cs]e/iu,
    named: /open\s?street\s?map|(?<![\p{L}\p{N}])osm(?![\p{L}\p{N}])/iu,
    host: /(?:^|\.)(?:openstreetmap\.[a-z]{2,3}(?:\.[a-z]{2})?|osm\.org|overpass-api\.de|overpass-turbo\.eu|geofabrik\.de)$/u,
    wording: /openstreetmap/iu,
    party: openStreetMap,
  },
]

/** Statements that licences ask for when a source gives none; others are content with name, address and licence. */
const wordings: readonly { readonly license: RegExp; readonly wording: (name: string) => string }[] = [
  {
    // https://www.nationalarchives.gov.uk/doc/open-government-licence/version/3/
    license: /^ogl(?:-uk)?(?:[- ]3\.0)?$|^uk-ogl$|^open government licence v?3\.0$/iu,
    wording: (name) =>
      `${name}: contains public sector information licensed under the Open Government Licence v3.0`,
  },
  {
    // https://open.canada.ca/en/open-government-licence-canada
    license: /^ogl[- ]canada|^open government licence - canada$/iu,
    wording: (name) => `${name}: contains information licensed under the Open Government Licence – Canada`,
  },
]

/**
 * The credit of a source: its attribution, or its name in the words of its licence, with a link; and the licence that it
 * consented to. OpenStreetMap, known by licence ODbL and by name, attribution or address, gets the wording and the link
 * that it asks for, unless the attribution names it in other words.
 */
export function creditOf(source: CreditedSource): CreditedParty {
  return consenting(ownCreditOf(source), source)
}

function ownCreditOf(source: CreditedSource): CreditedParty {
  const given = source.attribution ? oneLine(source.attribution) : ''
  const name = oneLine(source.name)
  const address = webAddress(source.url)
  const known = wellKnown.find(
    ({ license, named, host }) =>
      license.test(source.license) &&
      (named.test(name) || named.test(given) || (address !== undefined && host.test(address.hostname))),
  )
  if (!known) {
    const asked = wordings.find(({ license }) => license.test(source.license.trim()))
    return { name: given || (asked?.wording(name) ?? name), url: address?.href }
  }
  const { party, wording, named } = known
  if (wording.test(given)) return { name: given, url: party.url }
  return { name: given === '' || named.test(given) ? party.name : `${party.name}, ${given}`, url: party.url }
}

/** https://www.etalab.gouv.fr/licence-ouverte-open-licence/ asks for the date of the last update, too. */
const licenceOuverte = /^etalab|^licence ouverte|^open licence(?: 2\.0)?$|^fr-lo$|^lov[12]$/iu

/** The credit of a source for data as a whole: with the day of the data, where the licence asks for it. */
function datedCreditOf(source: CreditedSource): CreditedParty {
  const credit = creditOf(source)
  const day = source.published ?? undefined
  if (day === undefined || !licenceOuverte.test(source.license.trim())) return credit
  return { ...credit, asOf: day }
}

export function consenting(
  party: CreditedParty,
  { consentsTo }: { readonly consentsTo?: string | undefined },
): CreditedParty {
  if (consentsTo === undefined) return party
  return { ...party, consentsTo: oneLine(consentsTo) }
}

/** The credits of data by licence: the publisher where something was contributed, then the sources, those with most waypoints first. */
export function attributionsOf({ publisher, contributed, sources }: Credited): Attribution[] {
  const groups = new Map<string, Map<string, CreditedParty>>()
  const add = (license: string, party: CreditedParty) => {
    const parties = groups.get(license) ?? new Map<string, CreditedParty>()
    groups.set(license, parties)
    const text = partyText(party)
    if (parties.get(text)?.url === undefined) parties.set(text, party)
  }
  if (contributed || sources.length === 0) {
    add(oneLine(publisher.license), consenting({ name: oneLine(publisher.author) }, publisher))
  }
  const largestFirst = sources.toSorted((one, other) => (other.waypoints ?? 0) - (one.waypoints ?? 0))
  for (const source of largestFirst) add(oneLine(source.license), datedCreditOf(source))
  return Array.from(groups, ([license, parties]) => ({ license, parties: [...parties.values()] }))
}

/**
 * Attributions as one line of plain text: names, then their licence, such as
 * `City of Lund, © OpenStreetMap contributors, ODbL-1.0; Stadt Zürich, CC0-1.0`.
 */
export function attributionLine(attributions: readonly Attribution[]): string {
  return attributions
    .map(({ license, parties }) => [...parties.map(partyText), license].join(', '))
    .join('; ')
}

const oneLine = (text: string): string => text.replaceAll(/\s+/gu, ' ').trim()

function webAddress(address: string | null | undefined): URL | undefined {
  const url = address ? URL.parse(address) : null
  return url && (url.protocol === 'https:' || url.protocol === 'http:') ? url : undefined
}
