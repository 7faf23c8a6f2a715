import { mkdir, writeFile } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

export interface AccountOptions {
  /** The root of the site that is being written. */
  readonly outDir: string
  /** Path of the site on its host, with a slash at both ends. */
  readonly base: string
  /** Address or path of the API. */
  readonly api: string
  /** Where the site will be found, if that is known. */
  readonly origin?: string | undefined
}

/** Addresses of what the pages of people's accounts load. */
export interface AccountFiles {
  readonly signIn: string
  readonly account: string
  readonly style: string
  /** Of the link in the header, which every page has. */
  readonly headerStyle: string
  /** Address of the API without a slash at its end. */
  readonly api: string
  /** Whether the API is at the site's own origin: providers lead back to it alone. */
  readonly isSameOrigin: boolean
}

/** Not in the folders that the service worker loads in advance: few visitors need it, and never without a network. */
const folder = 'accounts'

/**
 * Bundles what the pages of people's accounts load, under names that change with their content. It is not part of Astro's
 * bundle, whose files are then the same with and without these pages.
 */
export async function bundleAccount({ outDir, base, api, origin }: AccountOptions): Promise<AccountFiles> {
  const isSource = import.meta.url.endsWith('.ts')
  const script = (name: string) =>
    fileURLToPath(new URL(`page/${name}.${isSource ? 'ts' : 'js'}`, import.meta.url))
  // Styles are published with the sources only.
  const style = (name: string) => fileURLToPath(new URL(`../../src/styles/${name}.css`, import.meta.url))
  const { outputFiles, metafile } = await build({
    entryPoints: {
      [`${folder}/sign-in`]: script('sign-in'),
      [`${folder}/own`]: script('account'),
      [`${folder}/account-page`]: style('account'),
      '_astro/account-link': style('account-link'),
    },
    outdir: outDir,
    write: false,
    entryNames: '[dir]/[name]-[hash]',
    chunkNames: `${folder}/part-[hash]`,
    bundle: true,
    ...(isSource && { conditions: ['openfountain-source', 'module'] }),
    splitting: true,
    format: 'esm',
    target: 'es2022',
    minify: true,
    legalComments: 'none',
    banner: { js: '/* SimpleWebAuthn, MIT: https://github.com/MasterKale/SimpleWebAuthn */' },
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
    return `${base}${basename(dirname(path))}/${basename(path)}`
  }
  return {
    signIn: address('sign-in'),
    account: address('own'),
    style: address('account-page'),
    headerStyle: address('account-link'),
    api: api.replace(/\/+$/u, ''),
    isSameOrigin: api.startsWith('/') || new URL(api).origin === origin,
  }
}
