import type { Waypoint } from '../data/records.ts'

/** Countries and subdivisions with several official languages among those of sites, the most spoken first. */
const official: Readonly<Record<string, readonly string[]>> = {
  BE: ['nl', 'fr', 'de'],
  CA: ['en', 'fr'],
  'CA-QC': ['fr'],
  CH: ['de', 'fr', 'it'],
  'CH-FR': ['fr', 'de'],
  'CH-GE': ['fr'],
  'CH-JU': ['fr'],
  'CH-NE': ['fr'],
  'CH-TI': ['it'],
  'CH-VD': ['fr'],
  'CH-VS': ['fr', 'de'],
  'IT-32': ['it', 'de'],
  LU: ['fr', 'de'],
}

/** The language of a site for a place: its default, the first, where that is official, else the most spoken official one, else the one of CLDR. */
export function localLanguage(
  { country, subdivision }: Pick<Waypoint, 'country' | 'subdivision'>,
  languages: readonly [string, ...string[]],
): string {
  if (!country) return languages[0]
  const spoken = official[subdivision ?? ''] ??
    official[country] ?? [new Intl.Locale(`und-${country}`).maximize().language]
  if (spoken.includes(languages[0])) return languages[0]
  return spoken.find((tag) => languages.includes(tag)) ?? languages[0]
}
