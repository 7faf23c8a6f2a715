import { mkdir, writeFile } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { iconDrawings } from '../build/icon-drawings.ts'

export interface LiveOptions {
  /** The root of the site that is being written. */
  readonly outDir: string
  /** Path of the site on its host, with a slash at both ends. */
  readonly base: string
}

/** Addresses of the scripts that show what changed since the site was built. */
export interface LiveFiles {
  /** Of the map. */
  readonly map: string
  /** Of the page of a fountain. */
  readonly page: string
  /** Of the page for addresses without a page. */
  readonly missing: string
}

/** With the map's scripts, so that the service worker keeps them as well. */
const folder = 'map/js'

/** Bundles the scripts of the live layer, under names that change with their content. */
export async function bundleLive({ outDir, base }: LiveOptions): Promise<LiveFiles> {
  const isSource = import.meta.url.endsWith('.ts')
  const script = (name: string) =>
    fileURLToPath(new URL(`${name}.${isSource ? 'ts' : 'js'}`, import.meta.url))
  const { outputFiles, metafile } = await build({
    entryPoints: {
      [`${folder}/live-map`]: script('follow'),
      [`${folder}/live-page`]: script('fountain-page'),
      [`${folder}/live-missing`]: script('state-now'),
    },
    outdir: outDir,
    write: false,
    entryNames: '[dir]/[name]-[hash]',
    chunkNames: `${folder}/live-part-[hash]`,
    bundle: true,
    ...(isSource && { conditions: ['openfountain-source', 'module'] }),
    splitting: true,
    format: 'esm',
    target: 'es2022',
    minify: true,
    legalComments: 'none',
    metafile: true,
    plugins: [iconDrawings()],
    logLevel: 'silent',
  })
  for (const { path, contents } of outputFiles) {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, contents)
  }
  const address = (name: string) => {
    const path = Object.keys(metafile.outputs).find((one) => basename(one).startsWith(`${name}-`))
    if (path === undefined) throw new Error(`The bundle has no ${name}`)
    return `${base}${folder}/${basename(path)}`
  }
  return { map: address('live-map'), page: address('live-page'), missing: address('live-missing') }
}
