import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build as buildAstro, type AstroIntegration } from 'astro'
import { makeAstroRoot } from './astro-root.ts'
import { assetFolder, bundling } from './bundle.ts'
import { provideContext, type SiteContext } from './context.ts'
import { writeDocuments } from './documents.ts'
import type { Output } from './output.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Writes the pages in Astro's place, which for each opens a file on another thread and looks for one of the same name. */
function writePagesTo(folder: string, { base, origin = 'http://localhost' }: SiteContext): AstroIntegration {
  return {
    name: 'openfountain-pages',
    hooks: {
      'astro:build:start': ({ setPrerenderer }) =>
        setPrerenderer((usual) => ({
          ...usual,
          async getStaticPaths() {
            for (const { pathname, route } of await usual.getStaticPaths()) {
              const address = new URL(`${base.slice(0, -1)}${pathname.replace(/\/?$/u, '/')}`, origin)
              const made = await usual.render(new Request(address), { routeData: route })
              const response = 'response' in made ? made.response : made
              const file = join(folder, pathname === '/404' ? '404.html' : `${pathname}/index.html`)
              mkdirSync(dirname(file), { recursive: true })
              const pieces: Uint8Array[] = []
              // A page is one piece, which arrayBuffer() copies twice.
              for await (const piece of response.body ?? []) pieces.push(piece)
              writeFileSync(file, Buffer.concat(pieces))
              // An abort takes effect between pages.
              await setImmediate()
            }
            // None is left.
            return []
          },
        })),
    },
  }
}

/** Without an adapter Astro would keep intermediate files in the working directory of the process, which may be any folder. */
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

/** Writes all pages of a context, which Astro makes, and its documents into the folder of an output. */
export async function renderPages(context: SiteContext, { folder, workFolder }: Output): Promise<void> {
  // Without this, Astro sends telemetry about the build and keeps a file about it in the home folder.
  process.env['ASTRO_TELEMETRY_DISABLED'] = '1'
  const shown: SiteContext = { ...context }
  provideContext(shown)
  try {
    await writeDocuments(shown, folder)
    await buildAstro({
      configFile: false,
      root: await makeAstroRoot(workFolder, root, { accounts: context.api !== undefined }),
      outDir: folder,
      cacheDir: join(workFolder, 'cache'),
      base: context.base,
      site: context.origin,
      output: 'static',
      trailingSlash: 'always',
      build: { assets: assetFolder, format: 'directory', inlineStylesheets: 'never' },
      image: { service: { entrypoint: 'astro/assets/services/noop' } },
      devToolbar: { enabled: false },
      integrations: [keepFilesIn(workFolder), writePagesTo(folder, context)],
      logLevel: 'error',
      vite: {
        logLevel: 'error',
        cacheDir: join(workFolder, 'vite'),
        ...bundling(context, root, ({ script, mapScripts }) => {
          if (script !== undefined) shown.script = `${context.base}${script}`
          if (mapScripts) shown.mapScripts = mapScripts.map((file) => `${context.base}${file}`)
        }),
      },
    })
  } finally {
    provideContext(undefined)
  }
}
