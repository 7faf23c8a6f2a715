import { type Feed, feedId } from '@openfountain/core/internal'
import { removedText, type Entry } from '../data/entry.ts'
import type { View } from './view.ts'

export function feedOf(view: View, file: 'changes.atom' | 'changes.json'): Feed {
  const { m, site } = view
  const { registry, dataTime } = site.data.folder
  const items = site.data.activity.recent.slice(0, 50).map((entry) => ({
    id: feedId(registry, String(entry.id)),
    address: view.absolute(
      site.data.hasPage(entry.waypointId) ? view.waypoint(entry.waypointId) : view.page('changes/'),
    ),
    title: `${effectOf(view, entry)}: ${view.f.isolate(view.nameOf(entry.waypointId))}`,
    summary: summaryOf(view, entry),
    author: authorOf(view, entry),
    time: entry.timestamp,
  }))
  return {
    id: feedId(registry, 'changes'),
    title: `${view.f.isolate(site.title)}: ${m.changes.title}`,
    language: view.tag,
    updated: items[0]?.time ?? dataTime,
    author: registry.author,
    rights: site.data.credit,
    self: view.absolute(view.page(file)),
    page: view.absolute(view.page('changes/')),
    items,
  }
}

function effectOf(view: View, { effect, mergedInto }: Entry): string {
  const done = view.m.action[effect]
  return mergedInto === undefined ? done : `${done} ${view.f.isolate(view.nameOf(mergedInto))}`
}

function summaryOf(view: View, entry: Entry): string {
  const fields = entry.fields.map((name) => view.field(name)).join(', ')
  const what = fields === '' ? '' : ` (${fields})`
  const notes = [
    ...(entry.reverts ? [view.text('waypoint.reverts')] : []),
    ...entry.removed.map((removed) => view.text(removedText[removed])),
  ].map((note) => ` · ${note}`)
  return `${effectOf(view, entry)}${what}${notes.join('')}, ${view.f.isolate(authorOf(view, entry))}, ${view.f.date(entry.timestamp)}`
}

/** The name of who made an entry; else that of a program, or of a deleted account. */
const authorOf = ({ m, site }: View, { userId }: Entry): string =>
  site.data.contributors.get(userId)?.name ?? m.contributors[userId === 'api' ? 'system' : 'former']
