import { readFile } from 'node:fs/promises'
import { builtinModules } from 'node:module'
import { extname, join } from 'node:path'
import { root } from './folders.ts'
import { Manifest, type Tarball } from './tarball.ts'

/** Virtual modules of the site's bundler. */
const isMadeByBundler = (name: string): boolean => name.startsWith('astro:') || name.startsWith('virtual:')

const imports = [
  /(?:^|[\s;}])(?:import|export)\s+(?!type\s)(?:[\w*{}\s,$]+\s+from\s+)?['"]([^'"\n]+)['"]/gmu,
  /\bimport\(\s*(?:\/\*.*?\*\/\s*)?['"`]([^'"`$\n]+)/gu,
  /\bresolve\(\s*['"`](@?[\w-][^'"`$\n]*)/gu,
]

/** The run-time imports of a source text, without Node's modules and its own files. */
export function importedPackages(source: string): string[] {
  const code = source.replaceAll(/^\s*(?:\/\/|\/?\*).*$/gmu, '')
  const names = imports
    .flatMap((pattern) => [...code.matchAll(pattern)].map(([, name = '']) => name))
    .filter((name) => !/^[./#$]|^node:/u.test(name) && !isMadeByBundler(name))
    .map((name) => name.split('/', name.startsWith('@') ? 2 : 1).join('/'))
    .filter((name) => !builtinModules.includes(name))
  return [...new Set(names)].toSorted()
}

/** Imported only when run from sources. */
const onlyFromSources = new Map([['dist/docs-page.js', 'swagger-ui-dist']])

const code = new Set(['.js', '.mjs', '.ts', '.astro', '.css'])
const neverPublished =
  /(?:^|\/)(?:test|tests|__snapshots__|node_modules)\/|\.tsbuildinfo$|\.test\.|(?:^|\/)tmp-|-tmp\./u

/**
 * The errors in the contents of a packed package: files that do not belong, a missing licence or introduction, imports
 * of undeclared dependencies, and versions of its siblings that differ from the packed ones.
 */
export async function contentFindings(tarball: Tarball, all: readonly Tarball[]): Promise<string[]> {
  const { name, folder, files } = tarball
  const manifest = await manifestOf(folder)
  const findings = files
    .filter((path) => neverPublished.test(path))
    .map((path) => `${path} does not belong in the package`)
  for (const needed of ['LICENSE', 'README.md', 'dist/index.js', 'dist/index.d.ts']) {
    if (!files.includes(needed)) findings.push(`${needed} is missing`)
  }
  // Bundles of others have no imports.
  const texts = files.filter((path) => code.has(extname(path)) && !path.includes('/swagger-ui/'))
  const declared = new Set([
    name,
    ...Object.keys(manifest.dependencies),
    ...Object.keys(manifest.optionalDependencies),
  ])
  for (const path of texts) {
    const source = await readFile(join(root, folder, path), 'utf8')
    // Declarations may refer to development packages; a consumer's compiler checks that they resolve.
    for (const imported of path.endsWith('.d.ts') ? [] : importedPackages(source)) {
      if (!declared.has(imported) && onlyFromSources.get(path) !== imported)
        findings.push(`${path} imports ${imported}, which is no dependency of ${name}`)
    }
  }
  for (const sibling of all) {
    const asked = manifest.dependencies[sibling.name]
    if (asked === undefined) continue
    const { version } = await manifestOf(sibling.folder)
    if (asked !== version) findings.push(`${sibling.name} is asked for as ${asked} but is ${version}`)
  }
  for (const [dependency, version] of Object.entries(manifest.dependencies)) {
    if (!/^\d+\.\d+\.\d+$/u.test(version))
      findings.push(`${dependency} is asked for as ${version}, not as one version`)
  }
  return findings
}

async function manifestOf(folder: string) {
  return Manifest.parse(JSON.parse(await readFile(join(root, folder, 'package.json'), 'utf8')))
}
