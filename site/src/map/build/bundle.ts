import { readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type BuildFailure, type BuildResult, type Metafile, type Plugin } from 'esbuild'
import { iconDrawings } from '../../build/icon-drawings.ts'
import { trimmedEngine } from './trimmed-engine.ts'

/**
 * The build of MapLibre: `trimmed`, built from its sources without the parts that the map never uses, or `published`,
 * the files as published.
 */
export type MapEngine = (typeof mapEngines)[number]
export const mapEngines = ['trimmed', 'published'] as const

export interface BundleOptions {
  /** The root of the site that is being written. */
  readonly outDir: string
  /** Path of the site on its host, with a slash at both ends. */
  readonly base: string
  /** Whether the operator's own style is used, which may need all of MapLibre. */
  readonly style: boolean
  /** Whether there are streets to draw; default false. */
  readonly streets?: boolean
  readonly engine: MapEngine
  /** Folder of MapLibre; default the installed one. */
  readonly mapLibre?: string
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
  /** The engine that was used. */
  readonly engine: MapEngine
  /** The reason for the published engine although the trimmed one was requested. */
  readonly mismatch?: EngineMismatch
}

/** Why MapLibre could not be trimmed. */
export interface EngineMismatch {
  /** The installed version of MapLibre. */
  readonly version: string
  readonly reason: string
}

const pages = fileURLToPath(new URL('../page', import.meta.url))
const folder = 'map/js'

/**
 * Bundles the scripts of the map into `map/js/` under names that change with their content, so that a host may
 * let browsers cache them forever. A MapLibre that cannot be trimmed is used as published.
 */
export async function bundleMap(options: BundleOptions): Promise<MapScripts> {
  const home = options.mapLibre ?? dirname(fileURLToPath(import.meta.resolve('maplibre-gl/package.json')))
  const { outDir, base, style, streets = false } = options
  const published = () =>
    bundle({
      home,
      worker: join(home, 'dist/maplibre-gl-worker.mjs'),
      streets,
      engine: publishedEngine(home),
    })
  const trimmed = () =>
    bundle({
      home,
      worker: join(home, 'src/source/worker.ts'),
      streets,
      engine: trimmedEngine(home, { whole: style }),
    })
  let { engine } = options
  let mismatch: EngineMismatch | undefined
  let result: Bundle
  if (engine === 'published') result = await published()
  else {
    try {
      result = await trimmed()
    } catch (error) {
      if (!isBuildFailure(error)) throw error
      engine = 'published'
      mismatch = { version: versionOf(home), reason: error.errors[0]?.text ?? error.message }
      result = await published()
    }
  }
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
    later: laterThan(result.metafile, output('home')).map(address),
    engine,
    mismatch,
  }
}

type Bundle = BuildResult<{ readonly write: false; readonly metafile: true }>

interface BundleParts {
  readonly home: string
  readonly worker: string
  readonly streets: boolean
  readonly engine: Plugin
}

/** Bundles the scripts in memory, so that a failing engine leaves no files behind. */
function bundle({ home, worker, streets, engine }: BundleParts): Promise<Bundle> {
  const isSource = import.meta.url.endsWith('.ts')
  const ending = isSource ? 'ts' : 'js'
  const entry = (name: string) => join(pages, `${name}.${ending}`)
  return build({
    entryPoints: {
      home: entry('home'),
      embed: entry('embed'),
      worker,
      // Loaded by its address, so that it is in no chunk of other maps.
      ...(streets && { streets: join(pages, `../engine/streets.${ending}`) }),
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
    // MapLibre's sources redeclare fields of their base class; defining them again would reset them.
    tsconfigRaw: { compilerOptions: { useDefineForClassFields: false } },
    minify: true,
    legalComments: 'none',
    banner: { js: banner(versionOf(home)) },
    metafile: true,
    logLevel: 'silent',
    plugins: [engine, iconDrawings()],
  })
}

/** MapLibre's own files for the page. */
function publishedEngine(home: string): Plugin {
  return {
    name: 'published-engine',
    setup(plugin) {
      plugin.onResolve({ filter: /^maplibre-gl$/ }, () => ({
        path: join(home, 'dist/maplibre-gl.mjs'),
        sideEffects: false,
      }))
    },
  }
}

function isBuildFailure(error: unknown): error is BuildFailure {
  return error instanceof Error && 'errors' in error && Array.isArray(error.errors)
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

function versionOf(home: string): string {
  const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as { version: string }
  return version
}

/** The licences require their notice in copies. */
function banner(version: string): string {
  return (
    `/* MapLibre GL JS ${version}, 3-Clause BSD: https://github.com/maplibre/maplibre-gl-js/blob/v${version}/LICENSE.txt ` +
    '· PMTiles, 3-Clause BSD · Lucide icons, ISC */'
  )
}
