import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from '../packages/command.ts'
import { root } from '../packages/folders.ts'
import type { DocExample } from './docstrings.ts'

const packages = [
  '@openfountain/core',
  '@openfountain/exchange',
  '@openfountain/server',
  '@openfountain/accounts',
  '@openfountain/photos',
  '@openfountain/telling',
  '@openfountain/tlog',
  '@openfountain/client',
]

/** The variables that an example may use without creating them. */
const given = ['registry', 'snapshot']

/**
 * The program of an example, with imports for the names that it uses; `// value` after an expression becomes an
 * assertion.
 */
export async function programOf({ path, code }: DocExample): Promise<string> {
  const imports: string[] = []
  const known = new Set<string>()
  for (const from of [join(root, path), ...packages]) {
    const names = Object.keys((await import(from)) as object).filter(
      (name) => !known.has(name) && new RegExp(String.raw`(?<![.\w])${name}\(`, 'u').test(code),
    )
    for (const name of names) known.add(name)
    if (names.length > 0) imports.push(`import { ${names.join(', ')} } from '${from}'`)
  }
  const used = given.filter((name) => new RegExp(String.raw`\b${name}\b`, 'u').test(code))
  return [
    "import assert from 'node:assert/strict'",
    "import type { Registry, Snapshot } from '@openfountain/core'",
    ...imports,
    'export async function example(context: { readonly registry: Registry; readonly snapshot: Snapshot }) {',
    ...(used.length > 0 ? [`const { ${used.join(', ')} } = context`] : ['void context']),
    'void assert',
    '{',
    code.replaceAll(/^(?!const |let |for |\/\/)(\S.*\S)\s+\/\/ (.+)$/gmu, 'assert.deepEqual($1, $2)'),
    '}',
    '}',
  ].join('\n')
}

const settings = {
  extends: join(root, 'tsconfig.sources.json'),
  compilerOptions: {
    incremental: false,
    noUnusedLocals: false,
    lib: ['ES2024', 'ESNext.Disposable', 'ESNext.Iterator', 'ESNext.Collection', 'DOM', 'DOM.Iterable'],
    typeRoots: [join(root, 'node_modules/@types')],
  },
  include: ['*.ts'],
  exclude: [],
  references: [],
}

/** Makes a folder in which programs find the workspace's packages. */
export async function prepareFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(settings))
}

/** Compiles all programs of a prepared folder. @returns the compiler's errors */
export async function compilerFindings(folder: string): Promise<string[]> {
  const compiler = join(root, 'node_modules/typescript-native/bin/tsc')
  const { stdout } = await run(process.execPath, [compiler, '-p', '.', '--pretty', 'false'], { cwd: folder })
  return stdout.split('\n').filter((line) => line.includes('error TS'))
}
