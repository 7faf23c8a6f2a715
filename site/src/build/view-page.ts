import { render } from 'preact-render-to-string'
import type { ComponentChildren } from 'preact'
import { contributorSlug } from '../data/contributors.ts'
import type { Entry } from '../data/entry.ts'
import { picked } from '../messages.ts'
import type { ShownEntry } from '../views/entry.tsx'
import { onPage } from '../views/on-page.tsx'
import type { Person } from '../views/parts.tsx'
import type { SiteContext } from './context.ts'
import type { View } from './view.ts'

export function html(view: View, ...views: readonly ComponentChildren[]): string {
  return views.map((one) => render(onPage(view, one))).join('')
}

export function personOf({ data, contributorPages }: SiteContext, id: string): Person {
  const { name, badge } = data.contributors.get(id) ?? {}
  return {
    id,
    name,
    ...(badge && { isModerator: true }),
    ...(contributorPages.has(id) && { slug: contributorSlug(id) }),
  }
}

/** A fountain that an entry or an act is about. One without a page may be deleted, and has no link. */
export function subjectOf({ data }: SiteContext, id: number): NonNullable<ShownEntry['about']> {
  const fountain = data.named(id)
  const hasPage = data.hasPage(id)
  return {
    id,
    hasPage,
    fountain: fountain && picked(fountain, 'name', 'amenities', 'place', 'region', 'town', 'street'),
    ...(!hasPage && { isGone: true }),
  }
}

export function shownEntry(
  context: SiteContext,
  { mergedInto, waypointId, userId, ...entry }: Entry,
  { isNamed, hasAuthor }: { readonly isNamed: boolean; readonly hasAuthor: boolean },
): ShownEntry {
  return {
    ...entry,
    ...(isNamed && { about: subjectOf(context, waypointId) }),
    ...(mergedInto !== undefined && { into: subjectOf(context, mergedInto) }),
    ...(hasAuthor && { by: personOf(context, userId) }),
  }
}
