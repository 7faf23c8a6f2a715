/** Who is to be named, in one line of plain text. `url` is http or https. */
export interface CreditedParty {
  readonly name: string
  readonly url?: string
}

/** Those whose data came under one licence, an SPDX id or a name. */
export interface Attribution {
  readonly license: string
  readonly parties: readonly CreditedParty[]
}

/** What a credit is made from. */
export interface Credited {
  /** Who publishes, and the licence of what people contribute. */
  readonly publisher: { readonly author: string; readonly license: string }
  /** Whether people added waypoints or reviews to the registry itself. */
  readonly contributed: boolean
  /** The sources of what is shown or written, and how many waypoints each has there (absent: unknown). */
  readonly sources: readonly CreditedSource[]
}

/** A source as far as its credit goes. */
export interface CreditedSource {
  readonly name: string
  readonly license: string
  readonly url?: string | null | undefined
  readonly attribution?: string | null | undefined
  readonly waypoints?: number | undefined
}

/** A source that prescribes how it is named, whoever imports it. */
interface WellKnownSource {
  readonly license: RegExp
  readonly named: RegExp
  readonly host: RegExp
  readonly wording: RegExp
  readonly party: Required<CreditedParty>
}

const wellKnown: readonly WellKnownSource[] = [
  {
    // https://osmfoundation.org/wiki/Licence/Attribution_Guidelines
    license: /odbl|open database licen[cs]e/iu,
    named: /open\s?street\s?map|(?<![\p{L}\p{N}])osm(?![\p{L}\p{N}])/iu,
    host: /(?:^|\.)(?:openstreetmap\.[a-z]{2,3}(?:\.[a-z]{2})?|osm\.org|overpass-api\.de|overpass-turbo\.eu|geofabrik\.de)$/u,
    wording: /openstreetmap/iu,
    party: { name: '© OpenStreetMap contributors', url: 'https://www.openstreetmap.org/copyright' },
  },
]

/**
 * How a source is named: by its attribution, else its name, with a link to its address. A source that is recognised
 * as OpenStreetMap (licence ODbL, and its name, attribution or address says so) has the wording and the link that
 * OpenStreetMap asks for; an attribution that names OpenStreetMap in other words, such as those of another
 * language, is kept.
 */
export function creditOf(source: CreditedSource): CreditedParty {
  const given = source.attribution ? oneLine(source.attribution) : ''
  const name = oneLine(source.name)
  const address = webAddress(source.url)
  const known = wellKnown.find(
    ({ license, named, host }) =>
      license.test(source.license) &&
      (named.test(name) || named.test(given) || (address !== undefined && host.test(address.hostname))),
  )
  if (!known) return { name: given || name, ...(address && { url: address.href }) }
  const { party, wording, named } = known
  if (wording.test(given)) return { name: given, url: party.url }
  return { name: given === '' || named.test(given) ? party.name : `${party.name}, ${given}`, url: party.url }
}

/**
 * Whom to name for data: the publisher when something was contributed, then the sources, those with the most
 * waypoints first, grouped by licence. The publisher alone when there are no sources. Who would be named twice
 * is named once.
 */
export function attributionsOf({ publisher, contributed, sources }: Credited): Attribution[] {
  const groups = new Map<string, Map<string, CreditedParty>>()
  const add = (license: string, party: CreditedParty) => {
    const parties = groups.get(license) ?? new Map<string, CreditedParty>()
    groups.set(license, parties)
    const known = parties.get(party.name)
    if (known?.url === undefined) parties.set(party.name, party)
  }
  if (contributed || sources.length === 0) {
    add(oneLine(publisher.license), { name: oneLine(publisher.author) })
  }
  const largestFirst = sources.toSorted((one, other) => (other.waypoints ?? 0) - (one.waypoints ?? 0))
  for (const source of largestFirst) add(oneLine(source.license), creditOf(source))
  return Array.from(groups, ([license, parties]) => ({ license, parties: [...parties.values()] }))
}

/**
 * Attributions in one line of plain text: names, then their licence, such as
 * `City of Lund, © OpenStreetMap contributors, ODbL-1.0; Stadt Zürich, CC0-1.0`.
 */
export function attributionLine(attributions: readonly Attribution[]): string {
  return attributions
    .map(({ license, parties }) => [...parties.map(({ name }) => name), license].join(', '))
    .join('; ')
}

const oneLine = (text: string): string => text.replaceAll(/\s+/gu, ' ').trim()

function webAddress(address: string | null | undefined): URL | undefined {
  const url = address ? URL.parse(address) : null
  return url && (url.protocol === 'https:' || url.protocol === 'http:') ? url : undefined
}
