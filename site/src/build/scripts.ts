import { mkdir, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { iconDrawings } from './icon-drawings.ts'

export interface ScriptOptions {
  /** The root of the site that is being written. */
  readonly outDir: string
  /** Path of the site on its host, with a slash at both ends. */
  readonly base: string
  /** The target folder below the root, without slashes at its ends. */
  readonly folder: string
  /** Scripts by file name: paths below `site/src`, without the extension `ts`. */
  readonly scripts?: Readonly<Record<string, string>>
  /** Styles by file name: files of `site/src/styles`, without the extension. */
  readonly styles?: Readonly<Record<string, string>>
  /** Name prefix of the chunks that several scripts share; default `part`. */
  readonly shared?: string
  /** Expressions for names that the scripts use without declaring them. */
  readonly define?: Readonly<Record<string, string>>
  /** Imports that are not bundled, with `*` as wildcard. */
  readonly external?: readonly string[]
  /** A comment at the beginning of each script. */
  readonly banner?: string
}

/**
 * Bundles scripts and styles under names that change with their content, so that a host may let browsers cache them
 * forever. They are outside Astro's bundle.
 *
 * @returns the address of a script or a style by its name
 */
export async function bundleScripts({
  outDir,
  base,
  folder,
  scripts = {},
  styles = {},
  shared = 'part',
  define = {},
  external = [],
  banner,
}: ScriptOptions): Promise<(name: string) => string> {
  const isSource = import.meta.url.endsWith('.ts')
  const pathOf = (path: string) => fileURLToPath(new URL(path, import.meta.url))
  const script = (path: string) =>
    pathOf(
      isSource ? `../${path}${path.endsWith('.tsx') ? '' : '.ts'}` : `../${path.replace(/\.tsx$/u, '')}.js`,
    )
  // Styles are published as sources only.
  const style = (name: string) => pathOf(`../../src/styles/${name}.css`)
  const { outputFiles } = await build({
    entryPoints: { ...mapped(scripts, script), ...mapped(styles, style) },
    outdir: join(outDir, folder),
    write: false,
    entryNames: '[name]-[hash]',
    chunkNames: `${shared}-[hash]`,
    bundle: true,
    // When this package runs from sources, so do its dependencies, which may not be built. `module` is esbuild's
    // default.
    ...(isSource && { conditions: ['openfountain-source', 'module'] }),
    splitting: true,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    minify: true,
    legalComments: 'none',
    define,
    external: [...external],
    ...(banner !== undefined && { banner: { js: banner } }),
    plugins: [iconDrawings()],
    logLevel: 'silent',
  })
  await mkdir(join(outDir, folder), { recursive: true })
  await Promise.all(outputFiles.map(({ path, contents }) => writeFile(path, contents)))
  const files = outputFiles.map(({ path }) => basename(path))
  return (name) => {
    const file = files.find((one) => one.replace(/-[0-9A-Z]+\.\w+$/u, '') === name)
    if (file === undefined) throw new Error(`The bundle of ${folder}/ has no ${name}`)
    return `${base}${folder}/${file}`
  }
}

const mapped = (
  values: Readonly<Record<string, string>>,
  map: (value: string) => string,
): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, map(value)]))
