import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Rules } from '@openfountain/core'
import { build } from 'esbuild'
import { iconDrawings } from '../build/icon-drawings.ts'
import type { Messages } from '../messages.ts'
import { contributeWords } from './words.ts'

export interface ContributeOptions {
  /** The root of the site that is being written. */
  readonly outDir: string
  /** Path of the site on its host, with a slash at both ends. */
  readonly base: string
  readonly languages: readonly { readonly tag: string; readonly messages: Messages }[]
  readonly rules: Rules
}

/** Addresses of what pages load on which people contribute. */
export interface ContributeFiles {
  /** The little that every visitor loads; the forms come with a tap. */
  readonly start: string
  readonly style: string
  /** Changes with the words of any language. */
  readonly version: string
}

const folder = 'contribute'

/** Bundles the forms under names that change with their content, and writes the words of each language. */
export async function bundleContribute({
  outDir,
  base,
  languages,
  rules,
}: ContributeOptions): Promise<ContributeFiles> {
  const isSource = import.meta.url.endsWith('.ts')
  const script = (name: string) =>
    fileURLToPath(new URL(`${name}.${isSource ? 'ts' : 'js'}`, import.meta.url))
  const bundled = async (entryPoints: Record<string, string>, define: Record<string, string> = {}) => {
    const { outputFiles } = await build({
      entryPoints,
      outdir: join(outDir, folder),
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
      logLevel: 'silent',
      external: ['./forms-*'],
      define,
      plugins: [iconDrawings()],
    })
    await mkdir(join(outDir, folder), { recursive: true })
    await Promise.all(outputFiles.map(({ path, contents }) => writeFile(path, contents)))
    const names = outputFiles.map(({ path }) => basename(path))
    return (name: string): string => {
      const found = names.find((one) => one.startsWith(`${name}-`))
      if (found === undefined) throw new Error(`The bundle has no ${name}`)
      return found
    }
  }
  const forms = await bundled({
    forms: script('open'),
    // Styles are published with the sources only.
    contribute: fileURLToPath(new URL('../../src/styles/contribute.css', import.meta.url)),
  })
  // By itself, so that it shares no file with the forms, which few visitors need.
  const start = await bundled(
    { start: script('start') },
    { CONTRIBUTE_FORMS: JSON.stringify(`./${forms('forms')}`) },
  )
  const digest = createHash('sha256')
  for (const { tag, messages } of languages) {
    const text = JSON.stringify(contributeWords(messages, rules))
    digest.update(text)
    await writeFile(join(outDir, folder, `${tag}.json`), text)
  }
  const address = (name: string) => `${base}${folder}/${name}`
  return {
    start: address(start('start')),
    style: address(forms('contribute')),
    version: digest.digest('hex').slice(0, 12),
  }
}
