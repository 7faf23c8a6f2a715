import { declaredFields, titlesOf } from '../custom-fields.ts'
import type { Plural } from '../messages.ts'
import { site, type SiteLanguage } from './context.ts'

/** The strings of one language for pages that exist only in the default one. */
export interface Labels {
  /** The prefix of a page's path in this language; empty or with a slash at its end. */
  readonly prefix: string
  /** By section and key, such as `waypoint.added`. */
  readonly strings: Readonly<Record<string, string>>
  readonly counts: Readonly<Record<string, Plural>>
  /** The declared custom fields in the registry's order, with their titles. */
  readonly custom: readonly (readonly [name: string, title: string])[]
}

const sections = [
  'nav',
  'site',
  'waypoint',
  'regions',
  'action',
  'fact',
  'status',
  'hours',
  'field',
  'amenity',
  'notFound',
  'notKept',
  'contributors',
  'leaderboard',
] as const

/** The labels of a language. */
export function labelsOf({ tag, messages }: SiteLanguage): Labels {
  const strings: Record<string, string> = {
    'map.share': messages.map.share,
    'map.linkCopied': messages.map.linkCopied,
    'map.distanceMetres': messages.map.distanceMetres,
    'map.distanceKilometres': messages.map.distanceKilometres,
  }
  for (const section of sections) {
    for (const [key, text] of Object.entries(messages[section])) strings[`${section}.${key}`] = text
  }
  if (site().account) {
    for (const key of ['signIn', 'title'] as const) strings[`account.${key}`] = messages.account[key]
    for (const key of ['improve', 'reportReview', 'reportPerson'] as const)
      strings[`contribute.${key}`] = messages.contribute[key]
    strings['contribute.works'] = messages.contribute.observe.works
    strings['contribute.problem'] = messages.contribute.observe.problem
    strings['contribute.report'] = messages.contribute.action.report
    strings['desk.title'] = messages.desk.title
  }
  const { live, data } = site()
  if (live) strings['live.gone'] = messages.live.gone
  const custom = live ? titlesOf(declaredFields(data.folder.registry.properties)) : []
  const isDefault = site().languages[0].tag === tag
  return { prefix: isDefault ? '' : `${tag}/`, strings, counts: messages.count, custom }
}
