import { readFile, writeFile } from 'node:fs/promises'
import { passedText, routeIn } from '@openfountain/core/internal'
import { routes } from '@openfountain/core/rules'
import { usage } from '../failure.ts'
import { inert } from '../inert.ts'
import { text, whole } from '../options.ts'
import { checkFolders } from '../output-files.ts'
import { row } from '../row.ts'
import { databaseOption } from '../settings.ts'
import { tableLines } from '../table.ts'
import { whereOf, whereOption } from './export.ts'

const { default: usual, max } = routes.withinMetres

/** The format of a file by its name. @throws CommandError usage */
function formatOf(file: string): 'geojson' | 'gpx' {
  const [, end] = /\.(gpx|geojson)$/iu.exec(file) ?? []
  if (end === undefined) throw usage(`--out must end with .gpx or .geojson, not ${inert(file)}`)
  return end.toLowerCase() === 'gpx' ? 'gpx' : 'geojson'
}

/** A route in a file: GPX, or JSON of GeoJSON or an encoded polyline. */
async function routeOf(file: string) {
  const content = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw usage(`${inert(file)} cannot be read: ${error.code ?? 'unknown'}`)
  })
  if (!/^\s*[{[]/u.test(content)) return routeIn(content)
  try {
    return routeIn(JSON.parse(content))
  } catch (error) {
    if (error instanceof SyntaxError) throw usage(`${inert(file)} is not JSON`)
    throw error
  }
}

const along = row('along', {
  summary: 'Finds the fountains along a route, in its order.',
  more: 'FILE is GPX with a track or a route, GeoJSON of lines, or { "polyline": … } with five digits. ALONG is metres from the start, OFF metres beside the route. Each fountain comes once, where the route passes it nearest. Nothing of the route is kept.',
  places: { file: 'The file with the route' },
  options: {
    ...databaseOption,
    within: whole('METRES', 'Only fountains so near to the route', { min: 1, max, default: String(usual) }),
    ...whereOption,
    out: text('FILE', 'The file to write: .gpx for a device, or .geojson'),
  },
  examples: {
    'along route.gpx --within 200 --out water.gpx': 'Writes the fountains along a route for a device',
    'along route.gpx --where usable=true --json': 'Prints { "waypoints": … } of those that are usable',
  },
  check({ out }) {
    if (out !== undefined) formatOf(out)
    checkFolders({ out })
  },
  async call(registry, { file, within, where, out }) {
    const waypoints = await registry.waypoints.along(await routeOf(file), {
      ...(await whereOf(where, ['bbox'])),
      within,
    })
    if (out === undefined) return { waypoints }
    const ids = waypoints.map(({ waypoint }) => waypoint.id)
    const terms = await registry.waypoints.otherTerms(ids, registry.license)
    const passed = waypoints.map(({ waypoint, ...at }) => ({
      waypoint: { ...waypoint, ...terms.get(waypoint.id) },
      ...at,
    }))
    await writeFile(out, passedText(formatOf(out), passed, registry))
    return { waypoints, file: out }
  },
  text: ({ waypoints }, { out }) => [
    ...tableLines(
      waypoints.map(({ waypoint: { id, name }, along: metres, off }) => ({
        along: Math.round(metres),
        off: Math.round(off),
        id,
        name,
      })),
      { ALONG: 'along', OFF: 'off', ID: 'id', NAME: 'name' },
    ),
    ...(out === undefined ? [] : [`Written to ${inert(out)}`]),
  ],
})

export const commands = [along]
