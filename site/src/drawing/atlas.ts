import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Feature, FeatureCollection } from 'geojson'
import { feature } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'

/** The land of the earth in two levels of detail; Natural Earth, public domain. */
export interface Atlas {
  readonly coarse: Feature | FeatureCollection
  readonly fine: Feature | FeatureCollection
}

type Land = Topology<{ land: GeometryCollection }>

/** Reads the atlas that is installed with the site. */
export function readAtlas(): Atlas {
  return { coarse: readLand('110m'), fine: readLand('50m') }
}

function readLand(scale: string): Feature | FeatureCollection {
  const file = fileURLToPath(import.meta.resolve(`world-atlas/land-${scale}.json`))
  const topology: Land = JSON.parse(readFileSync(file, 'utf8'))
  return feature(topology, topology.objects.land)
}
