import type { APIRoute } from 'astro'
import { atomFeed } from '../../build/feeds.ts'
import { languagePaths, viewOf } from '../../build/view.ts'

export const getStaticPaths = () => languagePaths()

export const GET: APIRoute = (context) => new Response(atomFeed(viewOf(context)))
