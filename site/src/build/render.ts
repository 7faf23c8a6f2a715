import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build as buildAstro, type AstroIntegration } from 'astro'
import { makeAstroRoot } from './astro-root.ts'
import { provideContext, type SiteContext } from './context.ts'
import type { Output } from './output.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Makes Astro keep its intermediate files in the work folder: without an adapter it would write them into the
 * working directory of the process, which may be any folder.
 */
function keepFilesIn(workFolder: string): AstroIntegration {
  return {
    name: 'openfountain-work-folder',
    hooks: {
      'astro:config:done': ({ setAdapter }) =>
        setAdapter({
          name: 'openfountain-work-folder',
          adapterFeatures: { buildOutput: 'static', preserveBuildServerDir: true },
          supportedAstroFeatures: { staticOutput: 'stable' },
        }),
      'astro:config:setup': ({ updateConfig }) => {
        updateConfig({ build: { server: pathToFileURL(`${workFolder}/server/`) } })
      },
    },
  }
}

/**
 * When this package runs from sources, so do the packages that it imports, which may not be built; the rest is Vite's
 * default.
 */
function fromSources(platform: 'browser' | 'node'): { readonly conditions?: string[] } {
  if (!import.meta.url.endsWith('.ts')) return {}
  return { conditions: ['openfountain-source', 'module', platform, 'development|production'] }
}

/** Chunks that the scripts of pages share: what all pages load, what follows the log, how it is today, and the views. */
const groups = [
  { name: 'shared', test: /preload-helper|[/\\](?:api[/\\]site|card[/\\]apps|messages|status[/\\]stage)\b/u },
  {
    name: 'live',
    test: /[/\\](?:data[/\\]osm-object|live[/\\](?:asking|entries|status))\b/u,
  },
  { name: 'day', test: /[/\\](?:hours|status)[/\\]/u },
  { name: 'views', test: /[/\\](?:preact|ui|views)[/\\]|[/\\](?:entry|page|row-now)\.[jt]sx?$/u },
].map((group, place, { length }) => ({ ...group, minShareCount: 2, priority: length - place }))

/** Makes Astro write all pages of a context into the folder of an output. */
export async function renderPages(context: SiteContext, { folder, workFolder }: Output): Promise<void> {
  // Without this, Astro sends telemetry about the build and keeps a file about it in the home folder.
  process.env['ASTRO_TELEMETRY_DISABLED'] = '1'
  provideContext(context)
  try {
    await buildAstro({
      configFile: false,
      root: await makeAstroRoot(workFolder, root, { accounts: context.account !== undefined }),
      outDir: folder,
      cacheDir: join(workFolder, 'cache'),
      base: context.base,
      site: context.origin,
      output: 'static',
      trailingSlash: 'always',
      build: { format: 'directory', inlineStylesheets: 'never' },
      image: { service: { entrypoint: 'astro/assets/services/noop' } },
      devToolbar: { enabled: false },
      integrations: [keepFilesIn(workFolder)],
      logLevel: 'error',
      vite: {
        logLevel: 'error',
        // Without an API nothing follows the log.
        define: { 'import.meta.env.WITH_API': JSON.stringify(context.live !== undefined) },
        cacheDir: join(workFolder, 'vite'),
        // Development's form of JSX names the files of this machine.
        oxc: { jsx: { runtime: 'automatic', importSource: 'preact', development: false } },
        // The map's scripts are already in the folder, which was empty before.
        build: {
          assetsInlineLimit: 0,
          emptyOutDir: false,
          cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
        },
        environments: {
          client: {
            resolve: { ...fromSources('browser') },
            // What many pages load is one file.
            build: {
              rolldownOptions: { output: { codeSplitting: { groups } } },
            },
          },
          // All imports are bundled: the pages run from the work folder, where packages cannot be resolved.
          prerender: { resolve: { ...fromSources('node'), noExternal: true } },
        },
      },
    })
  } finally {
    provideContext(undefined)
  }
}
