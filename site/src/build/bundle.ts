import { join, sep } from 'node:path'
import type { InlineConfig, Plugin, Rolldown } from 'vite'
import type { SiteContext } from './context.ts'
import { readIcons } from './icons.ts'
import { kindOf } from '@openfountain/core/vocabulary'

/** The folder of all files with a digest of their content in their names. */
export const assetFolder = '_astro'

/** The service worker: at the root, since a worker serves no pages above its own folder. */
export const workerFile = 'sw.js'

/** Parts of the site that few visitors need: their files are in folders of their own, which browsers do not load in advance. */
const rooms = ['account', 'contribute', 'desk', 'explore'] as const

/** The chunks that scripts of several pages share, with parts of the paths of their modules; each takes what those before it have not taken. */
const shared: Readonly<Record<string, readonly string[]>> = {
  /** Modules that MapLibre's worker shares with the page, and no others: the worker loads this file, too. */
  worker: [
    ...['shared', 'worker'].flatMap((name) => [`/trimmed/${name}.js`, `/whole/${name}.js`]),
    '/map/engine/worker.ts',
  ],
  /** Modules of every page. */
  page: [
    '/client/page.ts',
    '/preload-helper',
    '/api/site.ts',
    '/client/announce.ts',
    '/live/answers.ts',
    '/live/log.ts',
    '/live/polling.ts',
  ],
  /** Views in the browser: names, hours, states, forms and lists. One chunk, so that the map makes fewer requests. */
  views: [
    '/src/hours/',
    '/src/status/',
    '/vocabulary.',
    '/src/naming.ts',
    '/src/custom-fields.ts',
    '/geodesy.',
    '/preact/',
    '/rules.',
    '/src/api/',
    '/src/ui/',
    '/client/element-by.ts',
    '/client/save-file.ts',
    '/src/views/',
    '/src/data/entry.ts',
    '/live/page.ts',
    '/live/row-now.ts',
  ],
  map: ['/src/map/', '/src/search/', '/src/offline/', '/live/follow.ts', 'virtual:drawings'],
}

const notices: readonly (readonly [part: RegExp, notice: string])[] = [
  [
    /[/\\]engine[/\\](?:trimmed|whole)[/\\]/u,
    'MapLibre GL JS, 3-Clause BSD: https://github.com/maplibre/maplibre-gl-js/blob/main/LICENSE.txt',
  ],
  [/[/\\]pmtiles[/\\]/u, 'PMTiles, 3-Clause BSD'],
  [/^\0virtual:drawings$/u, 'Lucide icons, ISC'],
  [/[/\\]@simplewebauthn[/\\]/u, 'SimpleWebAuthn, MIT: https://github.com/MasterKale/SimpleWebAuthn'],
]

/** Vite's options for the scripts and styles of all pages. */
export function bundling(
  { api, style }: Pick<SiteContext, 'api' | 'style'>,
  packageFolder: string,
  onScripts: (scripts: Pick<SiteContext, 'script' | 'mapScripts'>) => void,
): InlineConfig {
  const engine = join(packageFolder, 'engine', style ? 'whole' : 'trimmed')
  return {
    // Without an API nobody contributes, and nothing follows the log.
    define: { 'import.meta.env.WITH_API': JSON.stringify(api !== undefined) },
    // Development's form of JSX names the files of this machine.
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact', development: false } },
    resolve: {
      alias: [
        { find: /^#engine$/u, replacement: join(engine, 'map.js') },
        { find: /^#engine\/worker$/u, replacement: join(engine, 'worker.js') },
      ],
    },
    plugins: [drawings(), pageScript(onScripts)],
    worker: { format: 'es', rolldownOptions: { output: { entryFileNames: workerFile } } },
    build: {
      assetsInlineLimit: 0,
      // The map's data are already in the folder, which was empty before.
      emptyOutDir: false,
      cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    },
    environments: {
      client: {
        resolve: { ...fromSources('browser') },
        build: {
          rolldownOptions: {
            output: {
              codeSplitting: {
                groups: Object.entries(shared).map(([name, parts], place) => ({
                  name,
                  test: (id) => parts.some((part) => id.replaceAll(sep, '/').includes(part)),
                  minShareCount: name === 'worker' || name === 'page' ? 1 : 2,
                  priority: -place,
                })),
              },
              entryFileNames: fileOf,
              chunkFileNames: fileOf,
              postBanner: ({ moduleIds }) => {
                const found = notices.flatMap(([part, notice]) =>
                  moduleIds.some((id) => part.test(id)) ? [notice] : [],
                )
                return found.length === 0 ? '' : `/*! ${found.join(' · ')} */`
              },
            },
          },
        },
      },
      // All imports are bundled: the pages run from the work folder, where packages cannot be resolved.
      prerender: { resolve: { ...fromSources('node'), noExternal: true } },
    },
  }
}

function drawings(): Plugin {
  const name = 'virtual:drawings'
  const icons = [...readIcons()].filter(([icon]) => icon === 'water' || kindOf([icon]))
  return {
    name: 'openfountain-drawings',
    resolveId: (id) => (id === name ? `\0${name}` : undefined),
    load: (id) =>
      id === `\0${name}` ? `export const drawings = ${JSON.stringify(Object.fromEntries(icons))}` : undefined,
  }
}

/** Adds the script of all pages, and finds those that the map begins with: Astro alone would give a page a file with nothing but an import. */
function pageScript(onScripts: Parameters<typeof bundling>[2]): Plugin {
  return {
    name: 'openfountain-page-script',
    applyToEnvironment: ({ name }) => name === 'client',
    buildStart() {
      this.emitFile({ type: 'chunk', id: '/src/client/page.ts', name: 'page' })
    },
    generateBundle(_options, bundle) {
      for (const [file, chunk] of Object.entries(bundle)) {
        if (chunk.type !== 'chunk') continue
        if (chunk.moduleIds.some((id) => id.endsWith('/src/client/page.ts'))) onScripts({ script: file })
        else if (chunk.isEntry && chunk.moduleIds.some((id) => id.endsWith('/src/map/page/home.ts')))
          onScripts({ mapScripts: [file, ...chunk.imports] })
        else if (chunk.facadeModuleId?.endsWith('/src/client/page.ts') === true) delete bundle[file]
      }
    },
  }
}

function fileOf({ name, moduleIds }: Rolldown.PreRenderedChunk): string {
  const room = Object.hasOwn(shared, name)
    ? undefined
    : rooms.find((one) => moduleIds.some((id) => id.replaceAll(sep, '/').includes(`/src/${one}/`)))
  const short = name.replace(/\.astro_.*$/u, '')
  return `${[assetFolder, ...(room === undefined ? [] : [room]), short].join('/')}.[hash].js`
}

/** When this package runs from sources, so do the packages that it imports, which may not be built. */
function fromSources(platform: 'browser' | 'node'): { readonly conditions?: string[] } {
  if (!import.meta.url.endsWith('.ts')) return {}
  return { conditions: ['openfountain-source', 'module', platform, 'development|production'] }
}
