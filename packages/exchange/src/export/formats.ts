import { areas } from './areas.ts'
import { changes } from './changes.ts'
import { csv } from './csv.ts'
import { differences } from './difference.ts'
import type { Format } from './format.ts'
import { geojson } from './geojson.ts'
import { geopackage } from './geopackage.ts'
import { geoparquet } from './geoparquet.ts'
import { gpx } from './gpx.ts'
import { kml } from './kml.ts'
import { ndjson } from './ndjson.ts'
import { contributors, leaderboard } from './people.ts'
import { reviews } from './reviews.ts'
import { sources } from './sources.ts'
import { sqlite } from './sqlite.ts'
import { statistics } from './statistics.ts'
import { pmtiles } from './tiles.ts'

/** Every file that an export can hold, in the order in which it writes and lists them. */
export const formats: readonly Format[] = [
  geojson,
  csv,
  ndjson,
  gpx,
  kml,
  geoparquet,
  geopackage,
  pmtiles,
  sqlite,
  changes,
  differences,
  ...reviews,
  ...contributors,
  ...leaderboard,
  ...statistics,
  areas,
  sources,
]
