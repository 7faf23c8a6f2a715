import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { run, succeed, type Ended } from './command.ts'
import { root } from './folders.ts'

/** A folder in which packages are installed; nothing in it resolves to the workspace. */
export interface Consumer {
  readonly folder: string
  /** Installs additional packages. */
  add(packages: readonly string[]): Promise<void>
  /** Names of all packages in it, dependencies included. */
  installed(): Promise<string[]>
  /** Writes a program for `run` and `findings`. */
  write(name: string, source: string): Promise<void>
  /** Runs a program. @returns its standard output */
  run(name: string): Promise<string>
  /**
   * Compiles programs as a strict project of ES modules.
   *
   * @param types packages of types that are included without being imported
   * @returns the compiler's errors in them and in the types of our packages
   */
  findings(names: readonly string[], types?: readonly string[], options?: Compiling): Promise<string[]>
}

export interface Compiling {
  /** The package of the compiler, in the folder. Default the workspace's compiler. */
  readonly compiler?: string
  /** Whether errors in the types of other packages count, too. Default false. */
  readonly strictly?: boolean
}

/** The environment without the variables of npm and of the workspace's test runner; npm needs the machine's certificates. */
export const plainEnvironment: NodeJS.ProcessEnv = Object.fromEntries(
  Object.entries(process.env).flatMap(([name, value]) => {
    if (/^(?:npm_|NODE_(?!EXTRA_CA_CERTS$)|VITE|INIT_CWD)/iu.test(name)) return []
    if (name !== 'PATH') return [[name, value]]
    const folders = (value ?? '').split(':').filter((folder) => !folder.includes('node_modules'))
    return [[name, folders.join(':')]]
  }),
)

const ownCompiler = join(root, 'node_modules/typescript-native/bin/tsc')

/** Installs packages, given as tarballs or npm specifiers, into a new folder. */
export async function install(folder: string, packages: readonly string[]): Promise<Consumer> {
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  const options = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel', 'error']
  const add = async (more: readonly string[]): Promise<void> => {
    await succeed('npm', ['install', ...options, ...more], { cwd: folder, env: plainEnvironment })
  }
  await add(packages)
  return {
    folder,
    add,
    async installed() {
      const tree: Tree = JSON.parse(
        await succeed('npm', ['ls', '--all', '--json'], { cwd: folder, env: plainEnvironment }),
      )
      return [...new Set(namesIn(tree))].toSorted()
    },
    write: (name, source) => writeFile(join(folder, name), source),
    run: (name) => succeed(process.execPath, [name], { cwd: folder, env: plainEnvironment }),
    async findings(names, types = [], { compiler, strictly = false } = {}) {
      const strict = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--noEmit']
      const modules = ['--module', 'nodenext', '--target', 'es2024', '--types', types.join(',')]
      const program = compiler === undefined ? ownCompiler : join(folder, 'node_modules', compiler, 'bin/tsc')
      const args = [program, '--pretty', 'false', ...strict, ...modules, ...names]
      const { stdout } = await run(process.execPath, args, { cwd: folder, env: plainEnvironment })
      return stdout
        .split('\n')
        .filter((line) => line.includes('error TS') && (strictly || !isOfOthers.test(line)))
    },
  }
}

/** Errors in the types of third-party packages cannot be fixed here. */
const isOfOthers = /^node_modules\/(?!@openfountain\/|openfountain\/)/u

interface Tree {
  /** Absent where an optional package is not installed. */
  readonly version?: string
  readonly dependencies?: Readonly<Record<string, Tree>>
}

function namesIn({ dependencies = {} }: Tree): string[] {
  return Object.entries(dependencies).flatMap(([name, tree]) =>
    tree.version === undefined ? [] : [name, ...namesIn(tree)],
  )
}

/** Runs the installed command under a Node. */
export function openfountain(
  { folder }: Pick<Consumer, 'folder'>,
  node: string,
  args: readonly string[],
): Promise<Ended> {
  const program = join(folder, 'node_modules/openfountain/bin/openfountain.mjs')
  return run(node, [program, ...args], { cwd: folder, env: plainEnvironment })
}
