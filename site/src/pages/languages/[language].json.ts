import type { APIRoute } from 'astro'
import { site } from '../../build/context.ts'
import { labelsOf } from '../../build/labels.ts'

export function getStaticPaths() {
  return site().languages.map((language) => ({ params: { language: language.tag }, props: { language } }))
}

export const GET: APIRoute = ({ props }) => new Response(JSON.stringify(labelsOf(props['language'])))
