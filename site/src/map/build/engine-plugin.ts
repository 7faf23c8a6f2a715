import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Plugin } from 'esbuild'

const find = createRequire(import.meta.url)

/** Folder of the installed MapLibre. */
const home = resolve(dirname(find.resolve('maplibre-gl/package.json')))

/** The entry of MapLibre's worker. */
export const workerEntry = join(home, 'src/source/worker.ts')

/** What the map's scripts take from MapLibre; everything else of its surface is left out. */
const surface = `
export { Map } from '${home}/src/ui/map.ts'
export { AttributionControl } from '${home}/src/ui/control/attribution_control.ts'
export { ScaleControl } from '${home}/src/ui/control/scale_control.ts'
export { addProtocol } from '${home}/src/source/protocol_crud.ts'
export { config } from '${home}/src/util/config.ts'
`

/**
 * Parts that the bundled base map never uses: tiles in MapLibre's own format, the globe, relief, heat maps, films.
 * They are a fifth of MapLibre. With the operator's style everything stays.
 */
const unused: readonly RegExp[] = [
  /^@maplibre\/mlt$/u,
  /\/(?:globe_projection|globe_transform|globe_camera_helper)\.ts$/u,
  /\/vertical_perspective_(?:projection|transform|camera_helper)\.ts$/u,
  /\/(?:hillshade|heatmap|color_relief|fill_extrusion)_style_layer\.ts$/u,
  /\/draw_(?:hillshade|heatmap|color_relief|fill_extrusion|terrain)\.ts$/u,
  /\/(?:fill_extrusion|heatmap)_bucket\.ts$/u,
  /\/(?:video|canvas|image|raster_dem_tile)_source\.ts$/u,
  /\/raster_dem_tile_worker_source\.ts$/u,
  /\/(?:logo_control|terrain|render_to_texture|terrain_tile_manager)\.ts$/u,
]

/** What MapLibre imports from packages that are left out. */
const packageExports: Readonly<Record<string, readonly string[]>> = {
  '@maplibre/mlt': ['decodeTile', 'GEOMETRY_TYPE'],
}

/**
 * Stands in for a part that was left out, under the same names: questions whether something is of its kind are
 * answered with no, and whoever uses the part is told that it is not there.
 */
function standIn(path: string): string {
  const names =
    packageExports[path] ??
    [...readFileSync(path, 'utf8').matchAll(/^export (?:abstract )?(?:class|function|const|let) (\w+)/gmu)].map(
      ([, name = '']) => name,
    )
  const content = (name: string) =>
    /^is[A-Z]/u.test(name)
      ? '() => false'
      : `class { constructor() { throw new Error('The small map engine has no ${name}') } }`
  return names.map((name) => `export const ${name} = ${content(name)}`).join('\n')
}

/**
 * Builds MapLibre from its sources: the page and the worker then share one file instead of carrying the same
 * code twice, and what is never used stays out. Together that is a third less than the published files.
 */
export function enginePlugin({ whole }: { readonly whole: boolean }): Plugin {
  return {
    name: 'map-engine',
    setup(build) {
      build.onResolve({ filter: /^maplibre-gl$/ }, () => ({ path: 'surface', namespace: 'map-engine' }))
      build.onLoad({ filter: /./, namespace: 'map-engine' }, () => ({
        contents: surface,
        loader: 'ts',
        resolveDir: home,
      }))
      build.onLoad({ filter: /maplibre-gl[\\/]package\.json$/ }, ({ path }) => {
        const { version } = JSON.parse(readFileSync(path, 'utf8')) as { version: string }
        return { contents: JSON.stringify({ version }), loader: 'json' }
      })
      if (whole) return
      build.onResolve({ filter: /./ }, ({ path, importer, resolveDir }) =>
        importer.startsWith(home) && unused.some((one) => one.test(path))
          ? { path: path.startsWith('.') ? resolve(resolveDir, path) : path, namespace: 'map-engine-unused' }
          : undefined,
      )
      build.onLoad({ filter: /./, namespace: 'map-engine-unused' }, ({ path }) => ({
        contents: standIn(path),
        loader: 'js',
      }))
    },
  }
}
