import type { View } from './view.ts'

const size = { width: 640, height: 480 } as const

export function embedMarkup(view: View): string {
  const title = view.site.title.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
  const address = view.absolute(view.page('embed/'))
  return `<iframe src="${address}" title="${title}" width="${size.width}" height="${size.height}" loading="lazy" allow="geolocation"></iframe>`
}

/** The site as an oEmbed 1.0 document of type rich (https://oembed.com). Needs the site's address. */
export function oembedDocument(view: View): Record<string, unknown> {
  return {
    version: '1.0',
    type: 'rich',
    title: view.site.title,
    provider_name: view.site.title,
    provider_url: view.absolute(view.file('')),
    author_name: view.site.data.credit,
    cache_age: 86_400,
    html: embedMarkup(view),
    ...size,
  }
}
