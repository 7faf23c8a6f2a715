import { createHash } from 'node:crypto'
import { removedText, type Entry } from '../data/entry.ts'
import type { View } from './view.ts'

/** The newest changes, in words. */
const entriesOf = (view: View) =>
  view.site.data.activity.recent.slice(0, 50).map((entry) => ({
    id: feedId(view, String(entry.id)),
    address: view.absolute(
      view.site.data.hasPage(entry.waypointId) ? view.waypoint(entry.waypointId) : view.page('changes/'),
    ),
    title: `${effectOf(view, entry)}: ${view.f.isolate(view.nameOf(entry.waypointId))}`,
    summary: summaryOf(view, entry),
    author: authorOf(view, entry),
    time: entry.timestamp,
  }))

/** The recent changes as an Atom feed (RFC 4287). */
export function atomFeed(view: View): string {
  const { m, site } = view
  const { folder } = site.data
  const self = view.absolute(view.page('changes.atom'))
  const entries = entriesOf(view)
  const lines = [
    '<?xml version="1.0" encoding="utf-8"?>',
    `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${xml(view.tag)}">`,
    `<id>${feedId(view, 'changes')}</id>`,
    `<title>${xml(`${view.f.isolate(site.title)}: ${m.changes.title}`)}</title>`,
    `<updated>${xml(entries[0]?.time ?? folder.dataTime)}</updated>`,
    `<author><name>${xml(folder.registry.author)}</name></author>`,
    `<rights>${xml(site.data.credit)}</rights>`,
    `<link rel="self" type="application/atom+xml" href="${xml(self)}"/>`,
    `<link rel="alternate" type="text/html" href="${xml(view.absolute(view.page('changes/')))}"/>`,
    ...entries.map(({ id, address, title, summary, author, time }) =>
      [
        '<entry>',
        `<id>${id}</id>`,
        `<title>${xml(title)}</title>`,
        `<updated>${xml(time)}</updated>`,
        `<author><name>${xml(author)}</name></author>`,
        `<link rel="alternate" type="text/html" href="${xml(address)}"/>`,
        `<summary>${xml(summary)}</summary>`,
        '</entry>',
      ].join(''),
    ),
    '</feed>',
  ]
  return `${lines.join('\n')}\n`
}

/** The recent changes as a JSON Feed 1.1 (https://www.jsonfeed.org/version/1.1/). */
export function jsonFeed(view: View): unknown {
  const { m, site } = view
  return {
    version: 'https://jsonfeed.org/version/1.1',
    title: `${view.f.isolate(site.title)}: ${m.changes.title}`,
    language: view.tag,
    home_page_url: view.absolute(view.page('changes/')),
    feed_url: view.absolute(view.page('changes.json')),
    authors: [{ name: site.data.folder.registry.author }],
    // An extension, which the standard allows: it has no member for rights.
    _rights: { about: 'https://www.rfc-editor.org/rfc/rfc4287#section-4.2.10', text: site.data.credit },
    items: entriesOf(view).map(({ id, address, title, summary, author, time }) => ({
      id,
      url: address,
      title,
      content_text: summary,
      date_published: time,
      authors: [{ name: author }],
    })),
  }
}

/** Escapes text for XML content and attributes; characters that XML 1.0 forbids are removed. */
export function xml(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

/** The same on every host: a UUID derived from the registry's name and the entry's number. */
function feedId(view: View, key: string): string {
  const { name, author } = view.site.data.folder.registry
  const digest = createHash('sha256')
    .update(JSON.stringify([name, author, key]))
    .digest('hex')
  const hex = `${digest.slice(0, 12)}8${digest.slice(13, 16)}8${digest.slice(17, 32)}`
  return `urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
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
