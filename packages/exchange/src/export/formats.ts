import { areas } from './text/areas.ts'
import { changes } from './text/changes.ts'
import { differences } from './text/difference.ts'
import type { Format } from './format.ts'
import { geojson } from './text/geojson.ts'
import { geopackage } from './sqlite/geopackage.ts'
import { geoparquet } from './parquet/geoparquet.ts'
import { gpx } from './text/gpx.ts'
import { kml } from './text/kml.ts'
import { kmz } from './text/kmz.ts'
import { ndjson } from './text/ndjson.ts'
import { contributors, leaderboard, reviews, sources, statistics } from './tables/registry.ts'
import { csv } from './tables/waypoints.ts'
import { sqlite } from './sqlite/sqlite.ts'
import { status } from './text/status.ts'
import { photos } from './text/photos.ts'
import { pmtiles } from './tiles/tiles.ts'

/** Every file that an export can hold, in the order in which it writes and lists them. */
export const formats: readonly Format[] = [
  geojson,
  csv,
  ndjson,
  gpx,
  kml,
  kmz,
  geoparquet,
  geopackage,
  pmtiles,
  status,
  sqlite,
  changes,
  differences,
  ...reviews,
  photos,
  ...contributors,
  ...leaderboard,
  ...statistics,
  areas,
  sources,
]
