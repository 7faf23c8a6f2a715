import type { APIRoute } from 'astro'
import { site } from '../../../build/context.ts'
import { drawLand, landFiles, type Square } from '../../../drawing/surroundings.ts'

export const getStaticPaths = () =>
  [...landFiles(site().data.waypoints)].map(([part, squares]) => ({ params: { part }, props: { squares } }))

export const GET: APIRoute<{ squares: readonly Square[] }> = ({ props }) =>
  new Response(drawLand(props.squares), { headers: { 'Content-Type': 'image/svg+xml' } })
