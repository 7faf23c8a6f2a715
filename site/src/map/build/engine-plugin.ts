import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'
import { dirname, join, resolve, sep } from 'node:path'
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

/** How the name of a left out part is given instead. */
type StandIn = (name: string) => string

/** Whoever uses the part is told that it is not there; questions whether something is of its kind get a no. */
const absent: StandIn = (name) =>
  /^is[A-Z]/u.test(name)
    ? '() => false'
    : `class { constructor() { throw new Error('The small map engine has no ${name}') } }`

/** Finds nothing wrong: the styles of this site are checked by its tests, not again in every browser. */
const content: StandIn = () => '() => []'

/** Draws nothing: the map is seen from straight above, where there is no sky. */
const idle: StandIn = () => '() => undefined'

/** Text that is never compiled. */
const empty: StandIn = () => `''`

/**
 * Parts that the bundled base map never uses: tiles in MapLibre's own format, the globe, relief, heat maps,
 * pictures and films, the checks of styles. They are a third of MapLibre. With the operator's style everything
 * stays.
 */
const unused: readonly (readonly [RegExp, StandIn])[] = [
  [/^@maplibre\/mlt$/u, absent],
  [/\/(?:globe_projection|globe_transform|globe_camera_helper)\.ts$/u, absent],
  [/\/vertical_perspective_(?:projection|transform|camera_helper)\.ts$/u, absent],
  [/\/(?:hillshade|heatmap|color_relief|fill_extrusion|raster)_style_layer\.ts$/u, absent],
  [/\/draw_(?:hillshade|heatmap|color_relief|fill_extrusion|terrain|raster|debug|custom)\.ts$/u, absent],
  [/\/draw_sky\.ts$/u, idle],
  [/\/(?:fill_extrusion|heatmap)_bucket\.ts$/u, absent],
  [/\/(?:video|canvas|image|raster_dem_tile|raster_tile)_source\.ts$/u, absent],
  [/\/raster_dem_tile_worker_source\.ts$/u, absent],
  [/\/(?:logo_control|attribution_control|terrain|render_to_texture|terrain_tile_manager)\.ts$/u, absent],
  [/\/definitions\/(?:within|distance)\.mjs$/u, absent],
  [/\/validate\/validate\w*\.mjs$/u, content],
  [
    /\/(?:_projection_globe|atmosphere|sky|terrain\w*|hillshade\w*|heatmap\w*|color_relief|fill_extrusion\w*|raster)\.(?:fragment|vertex)\.glsl\.g\.ts$/u,
    empty,
  ],
]

/** What MapLibre imports from packages that are left out. */
const packageExports: Readonly<Record<string, readonly string[]>> = {
  '@maplibre/mlt': ['decodeTile', 'GEOMETRY_TYPE'],
}

/** The names that a module exports, `default` among them. */
function exportsOf(path: string): readonly string[] {
  const known = packageExports[path]
  if (known) return known
  const source = readFileSync(path, 'utf8')
  const declared = source.matchAll(/^export (?:abstract )?(?:class|function|const|let) (\w+)/gmu)
  const listed = [...source.matchAll(/^export \{([^}]*)\}/gmu)].flatMap(([, names = '']) => names.split(','))
  return [
    ...[...declared].map(([, name = '']) => name),
    ...listed.map((name) => name.trim().replace(/^\w+ as /u, '')),
    ...(/^export default /mu.test(source) ? ['default'] : []),
  ].filter((name) => name !== '')
}

/** A module that stands in for a part that was left out, under the same names. */
function standIn(path: string): string {
  const [, instead = absent] = unused.find(([part]) => part.test(path)) ?? []
  return exportsOf(path)
    .map((name) =>
      name === 'default' ? `export default ${instead(name)}` : `export const ${name} = ${instead(name)}`,
    )
    .join('\n')
}

/** Imports the parts of gl-matrix one by one: only then the functions that nobody calls stay out. */
function splitMatrixImports(source: string): string {
  return source.replaceAll(/^import \{([^}]*)\} from 'gl-matrix';$/gmu, (_, names: string) =>
    names
      .split(',')
      .map((name) => name.trim())
      .map((name) =>
        name.startsWith('type ')
          ? `import type { ${name.slice(5)} } from 'gl-matrix'`
          : `import * as ${name} from 'gl-matrix/esm/${name}.js'`,
      )
      .join('; '),
  )
}

const mapLibre = new RegExp(`maplibre-gl\\${sep}src\\${sep}.*\\.ts$`)
const ofMapLibre = /[\\/]maplibre-gl[\\/]|[\\/]maplibre-gl-style-spec[\\/]/u

/**
 * Builds MapLibre from its sources: the page and the worker then share one file instead of carrying the same
 * code twice, and what is never used stays out. Together that is two fifths less than the published files.
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
      build.onLoad({ filter: /maplibre-gl[\\/]package\.json$/, namespace: 'file' }, ({ path }) => {
        const { version } = JSON.parse(readFileSync(path, 'utf8')) as { version: string }
        return { contents: JSON.stringify({ version }), loader: 'json' }
      })
      build.onLoad({ filter: mapLibre, namespace: 'file' }, ({ path }) => ({
        contents: splitMatrixImports(readFileSync(path, 'utf8')),
        loader: 'ts',
      }))
      if (whole) return
      build.onResolve({ filter: /./ }, ({ path, importer, namespace, resolveDir }) =>
        (namespace === 'map-engine' || ofMapLibre.test(importer)) && unused.some(([part]) => part.test(path))
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
