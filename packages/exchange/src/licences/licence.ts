/** An open (or nearly open) data licence. */
export interface Licence {
  /** SPDX id, https://spdx.org/licenses/ */
  readonly id: string
  readonly title: string
  /** The address of its text. */
  readonly url: string
  /** Other spellings by portals and people, lower case. */
  readonly aliases: readonly string[]
  /** Its conditions for passing the data on. */
  readonly asks: readonly ('attribution' | 'share-alike' | 'non-commercial' | 'no-derivatives')[]
}

/** The licences that the compatibility table judges. */
export const licences = [
  {
    id: 'CC0-1.0',
    title: 'Creative Commons Zero v1.0 Universal',
    url: 'https://creativecommons.org/publicdomain/zero/1.0/',
    aliases: ['cc0', 'cc-0', 'cc zero', 'cc0 1.0', 'public domain'],
    asks: [],
  },
  {
    id: 'PDDL-1.0',
    title: 'Open Data Commons Public Domain Dedication and License 1.0',
    url: 'https://opendatacommons.org/licenses/pddl/1-0/',
    aliases: ['pddl', 'odc-pddl', 'odc-pddl-1.0'],
    asks: [],
  },
  {
    id: 'DL-DE-ZERO-2.0',
    title: 'Data licence Germany – Zero – version 2.0',
    url: 'https://www.govdata.de/dl-de/zero-2-0',
    aliases: ['dl-de/zero-2-0', 'dl-zero-de/2.0', 'dl-de-zero', 'dl-zero-de-2.0'],
    asks: [],
  },
  {
    id: 'CC-BY-4.0',
    title: 'Creative Commons Attribution 4.0 International',
    url: 'https://creativecommons.org/licenses/by/4.0/',
    aliases: ['cc-by', 'cc by', 'cc by 4.0', 'cc-by 4.0'],
    asks: ['attribution'],
  },
  {
    id: 'CC-BY-3.0',
    title: 'Creative Commons Attribution 3.0 Unported',
    url: 'https://creativecommons.org/licenses/by/3.0/',
    aliases: ['cc by 3.0', 'cc-by 3.0'],
    asks: ['attribution'],
  },
  {
    id: 'ODC-By-1.0',
    title: 'Open Data Commons Attribution License v1.0',
    url: 'https://opendatacommons.org/licenses/by/1-0/',
    aliases: ['odc-by', 'odc by', 'odc-by 1.0'],
    asks: ['attribution'],
  },
  {
    id: 'DL-DE-BY-2.0',
    title: 'Data licence Germany – attribution – version 2.0',
    url: 'https://www.govdata.de/dl-de/by-2-0',
    aliases: ['dl-de/by-2-0', 'dl-by-de/2.0', 'dl-de-by', 'dl-by-de-2.0'],
    asks: ['attribution'],
  },
  {
    id: 'OGL-UK-3.0',
    title: 'Open Government Licence v3.0',
    url: 'https://www.nationalarchives.gov.uk/doc/open-government-licence/version/3/',
    aliases: ['ogl', 'ogl-3.0', 'ogl 3.0', 'uk-ogl', 'open government licence v3.0'],
    asks: ['attribution'],
  },
  {
    id: 'OGL-Canada-2.0',
    title: 'Open Government Licence - Canada',
    url: 'https://open.canada.ca/en/open-government-licence-canada',
    aliases: ['ogl-canada', 'ogl canada', 'open government licence - canada'],
    asks: ['attribution'],
  },
  {
    id: 'etalab-2.0',
    title: 'Etalab Open License 2.0',
    url: 'https://www.etalab.gouv.fr/licence-ouverte-open-licence/',
    aliases: ['etalab', 'licence ouverte', 'licence ouverte 2.0', 'fr-lo', 'lov2', 'licence ouverte v2.0'],
    asks: ['attribution'],
  },
  {
    id: 'ODbL-1.0',
    title: 'Open Data Commons Open Database License v1.0',
    url: 'https://opendatacommons.org/licenses/odbl/1-0/',
    aliases: ['odbl', 'odc-odbl', 'odbl 1.0', 'open database license'],
    asks: ['attribution', 'share-alike'],
  },
  {
    id: 'CC-BY-SA-4.0',
    title: 'Creative Commons Attribution Share Alike 4.0 International',
    url: 'https://creativecommons.org/licenses/by-sa/4.0/',
    aliases: ['cc-by-sa', 'cc by-sa', 'cc by-sa 4.0', 'cc-by-sa 4.0'],
    asks: ['attribution', 'share-alike'],
  },
  {
    id: 'CC-BY-SA-3.0',
    title: 'Creative Commons Attribution Share Alike 3.0 Unported',
    url: 'https://creativecommons.org/licenses/by-sa/3.0/',
    aliases: ['cc by-sa 3.0', 'cc-by-sa 3.0'],
    asks: ['attribution', 'share-alike'],
  },
  {
    id: 'CC-BY-NC-4.0',
    title: 'Creative Commons Attribution Non Commercial 4.0 International',
    url: 'https://creativecommons.org/licenses/by-nc/4.0/',
    aliases: ['cc-by-nc', 'cc by-nc', 'cc by-nc 4.0'],
    asks: ['attribution', 'non-commercial'],
  },
  {
    id: 'CC-BY-NC-SA-4.0',
    title: 'Creative Commons Attribution Non Commercial Share Alike 4.0 International',
    url: 'https://creativecommons.org/licenses/by-nc-sa/4.0/',
    aliases: ['cc-by-nc-sa', 'cc by-nc-sa', 'cc by-nc-sa 4.0'],
    asks: ['attribution', 'share-alike', 'non-commercial'],
  },
  {
    id: 'CC-BY-ND-4.0',
    title: 'Creative Commons Attribution No Derivatives 4.0 International',
    url: 'https://creativecommons.org/licenses/by-nd/4.0/',
    aliases: ['cc-by-nd', 'cc by-nd', 'cc by-nd 4.0'],
    asks: ['attribution', 'no-derivatives'],
  },
] as const satisfies readonly Licence[]

export type LicenceId = (typeof licences)[number]['id']

const bySpelling: ReadonlyMap<string, Licence & { readonly id: LicenceId }> = new Map(
  licences.flatMap((licence) =>
    [licence.id.toLowerCase(), licence.url.toLowerCase(), ...licence.aliases].map(
      (spelling): [string, Licence & { readonly id: LicenceId }] => [spelling, licence],
    ),
  ),
)

/**
 * The licence that a text names: its SPDX id in any case, its address, or another usual spelling. Undefined
 * when it is not one of `licences`.
 */
export function licenceOf(text: string): (Licence & { readonly id: LicenceId }) | undefined {
  return bySpelling.get(text.trim().toLowerCase())
}

/** One spelling for each licence: the SPDX id of a known one, however it is written; another stays as it is. */
export function oneSpelling(license: string): string {
  return licenceOf(license)?.id ?? license
}
