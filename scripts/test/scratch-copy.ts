import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { run, succeed, type Ended } from '../packages/command.ts'
import { root } from '../packages/folders.ts'

/** A copy of the sources in a folder of its own, in which a recipe of CONTRIBUTING.md is followed. */
export interface ScratchCopy {
  readonly folder: string
  /** Follows a recipe. @returns the paths that it changed or made, from the root, sorted */
  follow(recipe: () => Promise<void>): Promise<readonly string[]>
  read(file: string): Promise<string>
  /** Makes a file, with its folder. @throws Error when it exists */
  add(file: string, text: string): Promise<void>
  /** Replaces the one place where a file has a text. @throws Error when it has it nowhere or twice */
  change(file: string, from: string, to: string): Promise<void>
  /** Adds text before the one place where a file has another. @throws Error when it has it nowhere or twice */
  insert(file: string, before: string, text: string): Promise<void>
  /** Adds text after the one place where a file has another. @throws Error when it has it nowhere or twice */
  append(file: string, after: string, text: string): Promise<void>
  /** Runs a program of the copy, such as `packages/cli/src/main.ts`, in the copy's folder. @throws Error when it fails */
  program(file: string, ...args: readonly string[]): Promise<string>
  /** Runs a module from its text, as a file in the copy's `scripts`; its imports are relative to that folder. */
  script(text: string): Promise<string>
  /** Checks the types of some files and of what they import. */
  types(...files: readonly string[]): Promise<Ended>
  remove(): Promise<void>
}

const copied = ['packages', 'site', 'docs', 'examples', 'scripts', 'data'] as const
const unneeded = new Set(['node_modules', 'dist', '.astro', '.git'])
const fixtures = /^packages\/exchange\/test\/fixtures$/u

/**
 * Copies the sources into a temporary folder. Installed packages are links to those of the workspace, but for the
 * workspace's own, which are those of the copy.
 */
export async function scratchCopy(): Promise<ScratchCopy> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'openfountain-scratch-')))
  const isNeeded = (source: string) =>
    !unneeded.has(path.basename(source)) && !fixtures.test(path.relative(root, source))
  for (const part of copied)
    await cp(path.join(root, part), path.join(folder, part), { recursive: true, filter: isNeeded })
  for (const entry of await readdir(root, { withFileTypes: true }))
    if (entry.isFile() && /\.(?:json|md|ts)$/u.test(entry.name))
      await cp(path.join(root, entry.name), path.join(folder, entry.name))
  await linkPackages(path.join(root, 'node_modules'), path.join(folder, 'node_modules'))

  const touched = new Set<string>()
  let scripts = 0
  const at = (file: string) => path.join(folder, file)
  const read = (file: string) => readFile(at(file), 'utf8')
  const change = async (file: string, from: string, to: string): Promise<void> => {
    const parts = (await read(file)).split(from)
    if (parts.length !== 2) throw new Error(`${file} has ${JSON.stringify(from)} ${parts.length - 1} times`)
    await writeFile(at(file), parts.join(to))
    touched.add(file)
  }
  const node = (...args: readonly string[]) =>
    succeed(process.execPath, ['--conditions=openfountain-source', ...args], {
      cwd: folder,
      // Tests that it runs are named, whatever stage runs this one.
      env: { ...process.env, OPENFOUNTAIN_TESTS: 'named' },
    })
  return {
    folder,
    async follow(recipe) {
      touched.clear()
      await recipe()
      return [...touched].toSorted()
    },
    read,
    async add(file, text) {
      await mkdir(path.dirname(at(file)), { recursive: true })
      await writeFile(at(file), text, { flag: 'wx' })
      touched.add(file)
    },
    change,
    insert: (file, before, text) => change(file, before, text + before),
    append: (file, after, text) => change(file, after, after + text),
    program: (file, ...args) => node(file, ...args),
    async script(text) {
      scripts += 1
      const file = `scripts/scratch-${scripts}.ts`
      await writeFile(at(file), text)
      return node(file)
    },
    async types(...files) {
      const config = {
        extends: './tsconfig.tests.json',
        compilerOptions: {
          incremental: false,
          tsBuildInfoFile: null,
          lib: ['ES2025', 'ESNext', 'DOM', 'DOM.Iterable'],
          types: ['node', 'astro/client'],
        },
        include: [],
        files,
        references: [],
      }
      await writeFile(at('tsconfig.scratch.json'), JSON.stringify(config))
      const compiler = at('node_modules/typescript-native/bin/tsc')
      return run(process.execPath, [compiler, '-p', 'tsconfig.scratch.json', '--noEmit'], { cwd: folder })
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

async function linkPackages(from: string, to: string): Promise<void> {
  await mkdir(to)
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const name = entry.name
    if (name === '.cache') continue
    if (name === '@openfountain') await copyLinks(path.join(from, name), path.join(to, name))
    else if (name === 'openfountain') await symlink('../packages/cli', path.join(to, name))
    else await symlink(path.join(from, name), path.join(to, name))
  }
}

/** The links of npm to the workspace's packages, which are relative. */
async function copyLinks(from: string, to: string): Promise<void> {
  await cp(from, to, { recursive: true, verbatimSymlinks: true })
}
