import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { vocabulary } from '@openfountain/core/vocabulary'
import { build, type Metafile } from 'esbuild'
import { readIcons } from '../../build/icons.ts'
import { enginePlugin, workerEntry } from './engine-plugin.ts'

export interface BundleOptions {
  /** The root of the site that is being written. */
  readonly outDir: string
  /** Path of the site on its host, with a slash at both ends. */
  readonly base: string
  /** Whether the operator's own style is used, which may need all of MapLibre. */
  readonly style: boolean
}

/** Addresses of the map's scripts. */
export interface MapScripts {
  /** For the page with the large map. */
  readonly home: string
  /** For the map in a frame. */
  readonly embed: string
  /** Scripts that come after the first paint; the page's script asks for them together. */
  readonly later: readonly string[]
  readonly worker: string
}

const pages = fileURLToPath(new URL('../page', import.meta.url))
const folder = 'map/js'

/**
 * Bundles the scripts of the map into `map/js/` under names that change with their content, so that a host may
 * let browsers keep them for ever.
 */
export async function bundleMap({ outDir, base, style }: BundleOptions): Promise<MapScripts> {
  const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  const entry = (name: string) => join(pages, `${name}.${ending}`)
  const result = await build({
    entryPoints: { home: entry('home'), embed: entry('embed'), worker: workerEntry },
    outdir: join(outDir, folder),
    entryNames: '[name]-[hash]',
    chunkNames: 'part-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    // MapLibre's sources declare fields that their base class has already set.
    tsconfigRaw: { compilerOptions: { useDefineForClassFields: false } },
    minify: true,
    legalComments: 'none',
    banner: { js: banner() },
    metafile: true,
    logLevel: 'silent',
    define: {
      MAP_ICONS: JSON.stringify(Object.fromEntries(readIcons())),
      MAP_KINDS: JSON.stringify(kinds()),
    },
    plugins: [enginePlugin({ whole: style })],
  })
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
    later: laterThan(result.metafile, output('home')).map(address),
  }
}

/** Everything that a script loads by `import()`, with what that needs. */
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

function kinds(): string[] {
  return Object.entries(vocabulary).flatMap(([key, { role }]) => (role === 'kind' ? [key] : []))
}

/** The licences ask for their notice in what is handed on. */
function banner(): string {
  const { version } = JSON.parse(
    readFileSync(fileURLToPath(import.meta.resolve('maplibre-gl/package.json')), 'utf8'),
  ) as { version: string }
  return (
    `/* MapLibre GL JS ${version}, 3-Clause BSD: https://github.com/maplibre/maplibre-gl-js/blob/v${version}/LICENSE.txt ` +
    '· PMTiles, 3-Clause BSD · Lucide icons, ISC */'
  )
}
