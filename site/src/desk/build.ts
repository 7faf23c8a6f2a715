import { mkdir, writeFile } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

export interface DeskOptions {
  /** The root of the site that is being written. */
  readonly outDir: string
  /** Path of the site on its host, with a slash at both ends. */
  readonly base: string
}

/** Addresses of what the moderation desk and the page of acts load. */
export interface DeskFiles {
  readonly desk: string
  /** Reads the newest acts from the API. */
  readonly acts: string
  readonly style: string
}

/** Not in the folders that the service worker loads in advance: only moderators need it, and never without a network. */
const folder = 'moderators'

/** Bundles what the moderation desk loads, under names that change with their content. */
export async function bundleDesk({ outDir, base }: DeskOptions): Promise<DeskFiles> {
  const isSource = import.meta.url.endsWith('.ts')
  const script = (path: string) =>
    fileURLToPath(new URL(`${path}.${isSource ? 'ts' : 'js'}`, import.meta.url))
  const { outputFiles, metafile } = await build({
    entryPoints: {
      desk: script('page/desk'),
      acts: script('acts/live'),
      // Styles are published with the sources only.
      style: fileURLToPath(new URL('../../src/styles/desk.css', import.meta.url)),
    },
    outdir: `${outDir}/${folder}`,
    write: false,
    entryNames: '[name]-[hash]',
    chunkNames: 'part-[hash]',
    bundle: true,
    ...(isSource && { conditions: ['openfountain-source', 'module'] }),
    splitting: true,
    format: 'esm',
    target: 'es2022',
    minify: true,
    legalComments: 'none',
    metafile: true,
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
  return { desk: address('desk'), acts: address('acts'), style: address('style') }
}
