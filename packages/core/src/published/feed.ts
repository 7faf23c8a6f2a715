import { hash } from 'node:crypto'
import { xmlElement, xmlText } from './xml.ts'

export interface FeedItem {
  readonly id: string
  readonly address: string
  readonly title: string
  readonly summary: string
  /** Default the author of the feed. */
  readonly author?: string | undefined
  /** ISO 8601 in UTC. */
  readonly time: string
}

/** A feed, the newest first. */
export interface Feed {
  readonly id: string
  readonly title: string
  /** A BCP 47 tag. */
  readonly language: string
  readonly updated: string
  readonly author: string
  readonly rights: string
  readonly self: string
  /** The address of the page with the same changes. */
  readonly page: string
  readonly items: readonly FeedItem[]
}

/** The same on every host: a UUID derived from the registry's name and a key, such as the number of an entry. */
export function feedId({ name, author }: { readonly name: string; readonly author: string }, key: string) {
  const hex = hash('sha256', JSON.stringify([name, author, key]))
  return `urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

const link = (rel: string, type: string, href: string): string =>
  `<link rel="${rel}" type="${type}" href="${xmlText(href)}"/>`

export function atomFeed({ id, title, language, updated, author, rights, self, page, items }: Feed): string {
  const lines = [
    '<?xml version="1.0" encoding="utf-8"?>',
    `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${xmlText(language)}">`,
    xmlElement('id', id),
    xmlElement('title', title),
    xmlElement('updated', updated),
    `<author>${xmlElement('name', author)}</author>`,
    xmlElement('rights', rights),
    link('self', 'application/atom+xml', self),
    link('alternate', 'text/html', page),
    ...items.map((item) =>
      [
        '<entry>',
        xmlElement('id', item.id),
        xmlElement('title', item.title),
        xmlElement('updated', item.time),
        item.author === undefined ? '' : `<author>${xmlElement('name', item.author)}</author>`,
        link('alternate', 'text/html', item.address),
        xmlElement('summary', item.summary),
        '</entry>',
      ].join(''),
    ),
    '</feed>',
  ]
  return `${lines.join('\n')}\n`
}

/** A JSON Feed 1.1 (https://www.jsonfeed.org/version/1.1/). */
export const jsonFeed = ({ title, language, author, rights, self, page, items }: Feed): object => ({
  version: 'https://jsonfeed.org/version/1.1',
  title,
  language,
  home_page_url: page,
  feed_url: self,
  authors: [{ name: author }],
  // An extension, which the standard allows: it has no member for rights.
  _rights: { about: 'https://www.rfc-editor.org/rfc/rfc4287#section-4.2.10', text: rights },
  items: items.map((item) => ({
    id: item.id,
    url: item.address,
    title: item.title,
    content_text: item.summary,
    date_published: item.time,
    ...(item.author !== undefined && { authors: [{ name: item.author }] }),
  })),
})
