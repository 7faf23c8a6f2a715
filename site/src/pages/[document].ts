import type { APIRoute } from 'astro'
import { documents } from '../build/documents.ts'

/** The small files at the site's root that are not pages: sitemaps, robots.txt, the manifest, oEmbed. */
export function getStaticPaths() {
  return [...documents()].map(([name, text]) => ({ params: { document: name }, props: { text } }))
}

export const GET: APIRoute = ({ props }) => new Response(props['text'])
