import { licenceOf, licences, type LicenceId } from './licence.ts'

/**
 * Whether data under one licence may be part of a database that is published under another. `permission`: only
 * with the written consent of the source, which an operator can have and this table cannot know.
 */
export type Verdict = 'yes' | 'permission' | 'no'

/** A judgement and its grounds. It is a careful reading, not legal advice. */
export interface Judgement {
  readonly verdict: Verdict
  readonly reason: string
  /** The text or the page that says so. */
  readonly source: string
}

interface Rule extends Judgement {
  readonly outgoing: readonly LicenceId[]
}

const chart =
  'https://creativecommons.org/faq/#if-i-derive-or-adapt-material-offered-under-a-creative-commons-license-which-cc-licenses-can-i-use'
const osmMatrix = 'https://wiki.openstreetmap.org/wiki/Import/ODbL_Compatibility'
const everything = licences.map(({ id }) => id)
const creativeCommonsAttribution = [
  'CC-BY-4.0',
  'CC-BY-SA-4.0',
  'CC-BY-NC-4.0',
  'CC-BY-NC-SA-4.0',
] as const satisfies readonly LicenceId[]

const dedicated = (source: string): readonly Rule[] => [
  { outgoing: everything, verdict: 'yes', reason: 'All rights are given up; nothing is asked.', source },
]

/** Creative Commons attribution licences: the chart for adapters, and the reading of OpenStreetMap for databases. */
const attributionRules: readonly Rule[] = [
  {
    outgoing: creativeCommonsAttribution,
    verdict: 'yes',
    reason: 'An adaptation of BY material may carry this licence, with the attribution kept.',
    source: chart,
  },
  {
    outgoing: ['ODbL-1.0', 'ODC-By-1.0'],
    verdict: 'permission',
    reason:
      'The licences differ on attribution and on technical protection; OpenStreetMap asks the source for a waiver.',
    source: 'https://blog.openstreetmap.org/2017/03/17/use-of-cc-by-data/',
  },
]

const rules: Readonly<Record<LicenceId, readonly Rule[]>> = {
  'CC0-1.0': dedicated('https://creativecommons.org/publicdomain/zero/1.0/legalcode'),
  'PDDL-1.0': dedicated('https://opendatacommons.org/licenses/pddl/1-0/'),
  'DL-DE-ZERO-2.0': dedicated('https://www.govdata.de/dl-de/zero-2-0'),
  'CC-BY-4.0': attributionRules,
  'CC-BY-3.0': attributionRules,
  'ODC-By-1.0': [
    {
      outgoing: ['ODbL-1.0', ...creativeCommonsAttribution],
      verdict: 'permission',
      reason: 'Section 4.2 a: a derivative database may be conveyed only under the terms of this licence.',
      source: 'https://opendatacommons.org/licenses/by/1-0/',
    },
  ],
  'DL-DE-BY-2.0': [
    {
      outgoing: ['ODbL-1.0', 'ODC-By-1.0', ...creativeCommonsAttribution],
      verdict: 'permission',
      reason:
        'Merging is allowed, but every later user has to give the source note of section 2 and mark changes ' +
        '(section 3), which no other licence hands on in this form.',
      source: 'https://www.govdata.de/dl-de/by-2-0',
    },
  ],
  'OGL-UK-3.0': [
    {
      outgoing: ['ODC-By-1.0', ...creativeCommonsAttribution],
      verdict: 'yes',
      reason: 'The licence itself says that keeping CC BY 4.0 or ODC-By satisfies it.',
      source: 'https://www.nationalarchives.gov.uk/doc/open-government-licence/version/3/',
    },
    {
      outgoing: ['ODbL-1.0'],
      verdict: 'yes',
      reason: 'It names the Open Data Commons attribution terms as compatible, and ODbL keeps them.',
      source: osmMatrix,
    },
  ],
  'OGL-Canada-2.0': [
    {
      outgoing: ['ODC-By-1.0', ...creativeCommonsAttribution],
      verdict: 'yes',
      reason: 'It asks only for the attribution statement, which the outgoing licence keeps.',
      source: 'https://open.canada.ca/en/open-government-licence-canada',
    },
    {
      outgoing: ['ODbL-1.0'],
      verdict: 'yes',
      reason: 'It asks only for the attribution statement; the whole then carries the share-alike of ODbL.',
      source: 'https://clipol.org/licences/69?tab=licence_compatibility',
    },
  ],
  'etalab-2.0': [
    {
      outgoing: ['OGL-UK-3.0', 'ODC-By-1.0', 'ODbL-1.0', ...creativeCommonsAttribution],
      verdict: 'yes',
      reason: 'It was written to be compatible with every free licence that asks at least for attribution.',
      source: 'https://www.etalab.gouv.fr/wp-content/uploads/2017/04/ETALAB-Licence-Ouverte-v2.0.pdf',
    },
  ],
  'ODbL-1.0': [
    {
      outgoing: everything.filter((id) => id !== 'ODbL-1.0'),
      verdict: 'no',
      reason: 'Section 4.4: a derivative database stays under this licence.',
      source: 'https://opendatacommons.org/licenses/odbl/1-0/',
    },
  ],
  'CC-BY-SA-4.0': [
    {
      outgoing: everything.filter((id) => id !== 'CC-BY-SA-4.0'),
      verdict: 'no',
      reason: 'Section 3 b: adapted material stays under this licence or one that is listed as compatible.',
      source: 'https://creativecommons.org/share-your-work/licensing-considerations/compatible-licenses/',
    },
  ],
  'CC-BY-SA-3.0': [
    {
      outgoing: ['CC-BY-SA-4.0'],
      verdict: 'yes',
      reason: 'Section 4 b allows a later version of the same licence.',
      source: 'https://creativecommons.org/licenses/by-sa/3.0/legalcode',
    },
  ],
  'CC-BY-NC-4.0': [
    {
      outgoing: ['CC-BY-NC-SA-4.0'],
      verdict: 'yes',
      reason: 'An adaptation of BY-NC material may carry BY-NC-SA.',
      source: chart,
    },
  ],
  'CC-BY-NC-SA-4.0': [],
  'CC-BY-ND-4.0': [
    {
      outgoing: ['CC-BY-ND-4.0'],
      verdict: 'permission',
      reason:
        'A registry maps, corrects and merges records; adapted material may not be shared (section 2 a).',
      source: 'https://creativecommons.org/licenses/by-nd/4.0/legalcode',
    },
  ],
}

/**
 * Judges whether data under `incoming` may be part of a database under `outgoing`. Both are SPDX ids or other
 * usual spellings. A licence stays compatible with itself unless the table says otherwise; one that the table
 * does not know is compatible only with itself unless the source permits it.
 */
export function judge(incoming: string, outgoing: string): Judgement {
  const from = licenceOf(incoming)
  const to = licenceOf(outgoing)
  const rule = from && to && rules[from.id].find((candidate) => candidate.outgoing.includes(to.id))
  if (rule) return { verdict: rule.verdict, reason: rule.reason, source: rule.source }
  if (from ? from.id === to?.id : incoming === outgoing) {
    return {
      verdict: 'yes',
      reason: 'It is the same licence.',
      source: from?.url ?? 'https://spdx.org/licenses/',
    }
  }
  if (!from || !to) {
    return {
      verdict: 'permission',
      reason: `${from ? outgoing : incoming} is not in the table of licences.`,
      source: 'https://spdx.org/licenses/',
    }
  }
  return {
    verdict: 'no',
    reason: `${from.id} asks for ${from.asks.join(' and ') || 'nothing'}, which ${to.id} does not hand on.`,
    source: from.url,
  }
}

/** Every judgement of the table, licences in their order, for documentation and review. */
export function* compatibilityTable(): Iterable<Judgement & { incoming: LicenceId; outgoing: LicenceId }> {
  for (const incoming of everything) {
    for (const outgoing of everything) yield { incoming, outgoing, ...judge(incoming, outgoing) }
  }
}
