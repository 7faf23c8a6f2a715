import { mkdir, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type BuildResult, type Metafile } from 'esbuild'
import { iconDrawings } from '../../build/icon-drawings.ts'

export interface BundleOptions {
  /** The root of the site that is being written. */
  readonly outDir: string
  /** Path of the site on its host, with a slash at both ends. */
  readonly base: string
  /** Whether the operator's own style is used, which may need all of MapLibre. */
  readonly style: boolean
  /** Whether there are streets to draw; default false. */
  readonly streets?: boolean
  /** Whether there is an API whose changes are drawn; default false. */
  readonly live?: boolean
}

/** Addresses of the map's scripts. */
export interface MapScripts {
  /** For the page with the large map. */
  readonly home: string
  /** For the map in a frame. */
  readonly embed: string
  /** Scripts that are loaded after the first paint; the page's script requests them together. */
  readonly later: readonly string[]
  readonly worker: string
  /** The script of streets, where there are some. */
  readonly streets?: string
  /** The script of changes since the build, where there is an API. */
  readonly live?: string
}

const pages = fileURLToPath(new URL('../page', import.meta.url))
const folder = 'map/js'

/** The engine, ready-made from MapLibre (site/engine/make.ts). */
const engines = fileURLToPath(new URL('../../../engine', import.meta.url))

/**
 * Bundles the scripts of the map into `map/js/` under names that change with their content, so that a host may
 * let browsers cache them forever.
 */
export async function bundleMap({
  outDir,
  base,
  style,
  streets = false,
  live = false,
}: BundleOptions): Promise<MapScripts> {
  const result = await bundle(join(engines, style ? 'whole' : 'trimmed'), { streets, live })
  await mkdir(join(outDir, folder), { recursive: true })
  await Promise.all(
    result.outputFiles.map(({ path, contents }) => writeFile(join(outDir, folder, basename(path)), contents)),
  )
  const address = (path: string) => `${base}${folder}/${basename(path)}`
  const output = (name: string) => {
    const path = Object.keys(result.metafile.outputs).find((one) => basename(one).startsWith(`${name}-`))
    if (path === undefined) throw new Error(`The bundle has no ${name}`)
    return path
  }
  return {
    home: address(output('home')),
    embed: address(output('embed')),
    worker: address(output('worker')),
    ...(streets && { streets: address(output('streets')) }),
    ...(live && { live: address(output('live')) }),
    later: laterThan(result.metafile, output('home')).map(address),
  }
}

function bundle(
  engine: string,
  { streets, live }: { readonly streets: boolean; readonly live: boolean },
): Promise<BuildResult<{ readonly write: false; readonly metafile: true }>> {
  const isSource = import.meta.url.endsWith('.ts')
  const ending = isSource ? 'ts' : 'js'
  const entry = (name: string) => join(pages, `${name}.${ending}`)
  return build({
    entryPoints: {
      home: entry('home'),
      embed: entry('embed'),
      worker: join(engine, 'worker.js'),
      // Loaded by their addresses, so that they are in no chunk of other maps.
      ...(streets && { streets: join(pages, `../engine/streets.${ending}`) }),
      ...(live && { live: join(pages, `../../live/follow.${ending}`) }),
    },
    outdir: folder,
    write: false,
    entryNames: '[name]-[hash]',
    chunkNames: 'part-[hash]',
    bundle: true,
    // When this package runs from sources, so do its dependencies, which may not be built. `module` is esbuild's
    // default.
    ...(isSource && { conditions: ['openfountain-source', 'module'] }),
    splitting: true,
    format: 'esm',
    target: 'es2022',
    minify: true,
    legalComments: 'none',
    banner: { js: banner },
    metafile: true,
    logLevel: 'silent',
    alias: { '#engine': join(engine, 'map.js') },
    plugins: [iconDrawings()],
  })
}

/** All scripts that a script loads by `import()`, with their own imports. */
function laterThan({ outputs }: Metafile, from: string): string[] {
  const now = new Set<string>()
  const later = new Set<string>()
  const follow = (path: string, into: Set<string>): void => {
    if (into.has(path)) return
    into.add(path)
    for (const { path: next, kind } of outputs[path]?.imports ?? []) {
      follow(next, kind === 'dynamic-import' ? later : into)
    }
  }
  follow(from, now)
  return [...later].filter((path) => !now.has(path)).toSorted()
}

const banner =
  '/* MapLibre GL JS, 3-Clause BSD: https://github.com/maplibre/maplibre-gl-js/blob/main/LICENSE.txt · PMTiles, 3-Clause BSD · Lucide icons, ISC */'
