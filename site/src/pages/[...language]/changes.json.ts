import type { APIRoute } from 'astro'
import { jsonFeed } from '../../build/feeds.ts'
import { languagePaths, viewOf } from '../../build/view.ts'

export const getStaticPaths = () => languagePaths()

export const GET: APIRoute = (context) => new Response(jsonFeed(viewOf(context)))
