import type { APIRoute } from 'astro'
import { jsonFeed } from '../../build/feeds.ts'
import { languagePaths, viewOf } from '../../build/view.ts'

export const getStaticPaths = languagePaths

export const GET: APIRoute = ({ props }) => new Response(jsonFeed(viewOf(props['tag'])))
