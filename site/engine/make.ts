import { readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'esbuild'

const installed = dirname(fileURLToPath(import.meta.resolve('maplibre-gl/package.json')))

/** The files of the map's engine by path, made from MapLibre's sources: page and worker share a file, `trimmed` is for the bundled base map alone. @throws for another MapLibre */
export async function engineFiles(home = installed): Promise<Map<string, string>> {
  const license = readFileSync(join(home, 'LICENSE.txt'), 'utf8')
  const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as { version: string }
  const variants = [false, true].map((whole) => variantOf(home, { whole, version }))
  return new Map([['LICENSE.txt', license], ...(await Promise.all(variants)).flat()])
}

async function variantOf(
  home: string,
  { whole, version }: { readonly whole: boolean; readonly version: string },
): Promise<[path: string, text: string][]> {
  const outdir = join(import.meta.dirname, whole ? 'whole' : 'trimmed')
  const { outputFiles } = await build({
    entryPoints: { map: 'surface', worker: join(home, 'src/source/worker.ts') },
    outdir,
    write: false,
    chunkNames: 'shared',
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    // MapLibre's sources redeclare fields of their base class; defining them again would reset them.
    tsconfigRaw: { compilerOptions: { useDefineForClassFields: false } },
    minify: true,
    legalComments: 'none',
    banner: {
      js: `/* MapLibre GL JS ${version}, 3-Clause BSD: https://github.com/maplibre/maplibre-gl-js/blob/v${version}/LICENSE.txt */`,
    },
    logLevel: 'silent',
    plugins: [fromSources(home, whole)],
  })
  return outputFiles.map(({ path, text }) => [relative(import.meta.dirname, path), text])
}

/** The exports of MapLibre that the map's scripts import; the others are left out. */
const surface = (home: string): string => `
import { config } from '${home}/src/util/config.ts'
export { Map } from '${home}/src/ui/map.ts'
export { AttributionControl } from '${home}/src/ui/control/attribution_control.ts'
export { ScaleControl } from '${home}/src/ui/control/scale_control.ts'
export { addProtocol } from '${home}/src/source/protocol_crud.ts'
export const setWorkerUrl = (url: string): void => { config.WORKER_URL = url }
`

/** Returns the expression that replaces an export of an omitted part. */
type Replacement = (name: string) => string

/** Constructing the part throws; type guards such as `isX` return false. */
const absent: Replacement = (name) =>
  /^is[A-Z]/u.test(name)
    ? '() => false'
    : `class { constructor() { throw new Error('The trimmed map engine has no ${name}') } }`

/** Reports no errors: the tests validate the styles of this site, so that browsers need not. */
const noMistakes: Replacement = () => '() => []'

/** Draws nothing: the map is seen from above, without a sky. */
const drawsNothing: Replacement = () => '() => undefined'

/** The source of a shader that is never compiled. */
const emptyText: Replacement = () => `''`

const shaders = (...names: readonly string[]): string[] =>
  names.flatMap((name) => [`${name}.fragment.glsl.g.ts`, `${name}.vertex.glsl.g.ts`])

/** Unused by the bundled base map, a third of MapLibre: its own tiles, the globe, relief, heat maps, images, videos, validation. */
const unused: readonly (readonly [Replacement, readonly string[]])[] = [
  [absent, ['@maplibre/mlt']],
  [absent, ['globe_projection.ts', 'globe_transform.ts', 'globe_camera_helper.ts']],
  [absent, ['projection', 'transform', 'camera_helper'].map((part) => `vertical_perspective_${part}.ts`)],
  [
    absent,
    ['hillshade', 'heatmap', 'color_relief', 'fill_extrusion', 'raster'].flatMap((layer) => [
      `${layer}_style_layer.ts`,
      `draw_${layer}.ts`,
    ]),
  ],
  [absent, ['draw_terrain.ts', 'draw_debug.ts', 'draw_custom.ts']],
  [drawsNothing, ['draw_sky.ts']],
  [
    absent,
    ['video', 'canvas', 'image', 'raster_dem_tile', 'raster_tile'].map((source) => `${source}_source.ts`),
  ],
  [absent, ['raster_dem_tile_worker_source.ts']],
  [absent, ['logo_control.ts', 'attribution_control.ts', 'terrain.ts', 'render_to_texture.ts']],
  [absent, ['within.mjs', 'distance.mjs']],
  [
    noMistakes,
    [
      'validate.mjs',
      ...['constants', 'filter', 'font_faces', 'glyphs_url', 'layer', 'layout_property', 'light'].map(
        (what) => `validate_${what}.mjs`,
      ),
      ...['paint_property', 'sky', 'source', 'sprite', 'state', 'terrain'].map(
        (what) => `validate_${what}.mjs`,
      ),
    ],
  ],
  [
    emptyText,
    [
      ...shaders('_projection_globe', 'atmosphere', 'sky', 'terrain', 'terrain_depth', 'terrain_height'),
      ...shaders('hillshade', 'hillshade_prepare', 'heatmap', 'heatmap_texture', 'color_relief', 'raster'),
      ...shaders('fill_extrusion', 'fill_extrusion_pattern'),
    ],
  ],
]

const replacements: ReadonlyMap<string, Replacement> = new Map(
  unused.flatMap(([replacement, parts]) => parts.map((part) => [part, replacement] as const)),
)

/** The name of an omitted module, or undefined. */
function partOf(path: string): string | undefined {
  const name = path.startsWith('@') ? path : path.slice(path.lastIndexOf('/') + 1)
  return replacements.has(name) ? name : undefined
}

/** The imports of MapLibre from omitted packages. */
const packageExports: Readonly<Record<string, readonly string[]>> = {
  '@maplibre/mlt': ['decodeTile', 'GEOMETRY_TYPE'],
}

/** The exports of a module, `default` included. */
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

/** The source of a module that replaces an omitted part, with the same exports. */
function replacementOf(path: string): string {
  const replacement = replacements.get(partOf(path) ?? '') ?? absent
  return exportsOf(path)
    .map((name) =>
      name === 'default'
        ? `export default ${replacement(name)}`
        : `export const ${name} = ${replacement(name)}`,
    )
    .join('\n')
}

const glyphDrawing = /@mapbox[\\/]tiny-sdf[\\/]index\.js$/

/** MapLibre puts a label into visual order before it draws each glyph: a canvas of a right-to-left page would mirror it again. */
function fixDirection(source: string): string {
  return source.replace("ctx.textAlign = 'left';", "ctx.textAlign = 'left'; ctx.direction = 'ltr';")
}

/** Before each change of a style, MapLibre writes the whole style out for the validation that is left out here. */
const validating = 'if (options.validate === false) return false;'

/** Imports the parts of gl-matrix one by one: only then can unused functions be dropped. */
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

const mapLibreSource = new RegExp(`maplibre-gl\\${sep}src\\${sep}.*\\.ts$`)
const ofMapLibre = /[\\/]maplibre-gl[\\/]|[\\/]maplibre-gl-style-spec[\\/]/u

/** Resolves the engine to MapLibre's sources, without unused parts unless `whole`. */
function fromSources(home: string, whole: boolean): Plugin {
  return {
    name: 'trimmed-engine',
    setup(build) {
      const leftOut = new Set<string>()
      let splits = 0
      let turned = false
      let writesOut = !whole
      build.onResolve({ filter: /^surface$/ }, () => ({ path: 'surface', namespace: 'trimmed-engine' }))
      build.onLoad({ filter: /./, namespace: 'trimmed-engine' }, () => ({
        contents: surface(home),
        loader: 'ts',
        resolveDir: home,
      }))
      build.onLoad({ filter: /maplibre-gl[\\/]package\.json$/, namespace: 'file' }, ({ path }) => {
        const { version } = JSON.parse(readFileSync(path, 'utf8')) as { version: string }
        return { contents: JSON.stringify({ version }), loader: 'json' }
      })
      build.onLoad({ filter: mapLibreSource, namespace: 'file' }, ({ path }) => {
        const source = readFileSync(path, 'utf8')
        const contents = splitMatrixImports(source)
        if (contents !== source) splits += 1
        if (whole || !contents.includes(validating)) return { contents, loader: 'ts' }
        writesOut = false
        return { contents: contents.replace(validating, 'return false;'), loader: 'ts' }
      })
      build.onLoad({ filter: glyphDrawing, namespace: 'file' }, ({ path }) => {
        const source = readFileSync(path, 'utf8')
        const contents = fixDirection(source)
        turned ||= contents !== source
        return { contents, loader: 'js' }
      })
      build.onEnd(({ warnings }) => {
        if (!turned) return mismatch('no canvas for glyphs was found')
        if (writesOut) return mismatch('no validation of changes was found')
        if (splits === 0) return mismatch('no import of gl-matrix was found')
        const missing = warnings.find(({ id }) => id === 'import-is-undefined')
        if (missing) return mismatch(missing.text)
        const [lost] = whole ? [] : [...replacements.keys()].filter((part) => !leftOut.has(part))
        return lost === undefined ? undefined : mismatch(`it has no ${lost} to leave out`)
      })
      if (whole) return
      build.onResolve({ filter: /./ }, ({ path, importer, namespace, resolveDir }) => {
        if (namespace !== 'trimmed-engine' && !ofMapLibre.test(importer)) return undefined
        const part = partOf(path)
        if (part === undefined) return undefined
        leftOut.add(part)
        return {
          path: path.startsWith('.') ? resolve(resolveDir, path) : path,
          namespace: 'trimmed-engine-unused',
        }
      })
      build.onLoad({ filter: /./, namespace: 'trimmed-engine-unused' }, ({ path }) => ({
        contents: replacementOf(path),
        loader: 'js',
      }))
    },
  }
}

const mismatch = (text: string) => ({ errors: [{ text: `MapLibre has changed: ${text}` }] })
