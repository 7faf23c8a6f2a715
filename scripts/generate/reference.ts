import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Application, type TypeDocOptions } from 'typedoc'
import type { PluginOptions } from 'typedoc-plugin-markdown'
import { run } from '../packages/command.ts'
import { root } from '../packages/folders.ts'

/** The modules of the reference: the entry points for embedders, for core with the types behind them. */
export const entries = {
  core: 'scripts/generate/core.ts',
  exchange: 'packages/exchange/src/index.ts',
  server: 'packages/server/src/index.ts',
  fastify: 'packages/fastify/src/index.ts',
  accounts: 'packages/accounts/src/index.ts',
  photos: 'packages/photos/src/index.ts',
  telling: 'packages/telling/src/index.ts',
  site: 'site/src/index.ts',
  client: 'packages/client/src/index.ts',
} as const

const options = (out: string): Partial<TypeDocOptions & PluginOptions> => ({
  plugin: ['typedoc-plugin-markdown'],
  entryPoints: Object.values(entries).map((path) => join(root, path)),
  tsconfig: join(root, 'tsconfig.sources.json'),
  name: 'openfountain',
  out,
  readme: 'none',
  disableSources: true,
  excludeInternal: true,
  excludePrivate: true,
  excludeExternals: true,
  skipErrorChecking: true,
  logLevel: 'Warn',
  // The reference of one module is one page, so that the browser's own search finds everything.
  outputFileStrategy: 'modules',
  hidePageHeader: true,
  hideBreadcrumbs: true,
  useCodeBlocks: true,
  parametersFormat: 'table',
  interfacePropertiesFormat: 'table',
  typeAliasPropertiesFormat: 'table',
  enumMembersFormat: 'table',
})

/**
 * Builds the declarations of packages that TypeDoc reads across packages. An up-to-date build is reused.
 *
 * @throws Error with the compiler's output
 */
async function buildTypes(): Promise<void> {
  const compiler = join(root, 'node_modules/typescript-native/bin/tsc')
  const { code, stdout, stderr } = await run(process.execPath, [compiler, '-b', 'tsconfig.build.json'], {
    cwd: root,
  })
  if (code !== 0)
    throw new Error(`The types that the reference is made from have errors:\n${stdout}${stderr}`)
}

/** The API reference, generated from docstrings: one page a package. @returns texts by file name */
export async function reference(): Promise<Map<string, string>> {
  await buildTypes()
  const folder = await mkdtemp(join(tmpdir(), 'openfountain-reference-'))
  try {
    const app = await Application.bootstrapWithPlugins(options(folder))
    const project = await app.convert()
    if (project === undefined) throw new Error('The sources could not be read for the reference')
    for (const [name, path] of Object.entries(entries)) {
      const module = project.children?.find((one) => one.name === path.replace(/(?:\/index)?\.ts$/u, ''))
      if (module === undefined) throw new Error(`The reference has no module ${path}`)
      module.name = name
    }
    await app.generateOutputs(project)
    const files = (await readdir(folder, { recursive: true }))
      .filter((name) => name.endsWith('.md'))
      .toSorted()
    return new Map(
      await Promise.all(
        files.map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const),
      ),
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
