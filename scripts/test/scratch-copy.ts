import { cp, mkdir, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { newFolder } from '@openfountain/testing/folder'
import { run, succeed } from '../packages/command.ts'
import { root } from '../packages/folders.ts'

export const languageFiles = (await readdir(path.join(root, 'site/src/languages')))
  .map((file) => `site/src/languages/${file}`)
  .toSorted()

export type ScratchCopy = Awaited<ReturnType<typeof scratchCopy>>

const copied = ['packages', 'site', 'docs', 'examples', 'scripts', 'data'] as const
const unneeded = new Set(['node_modules', 'dist', '.astro', '.git'])
const fixtures = /^packages\/exchange\/test\/fixtures$/u

/**
 * A copy of the sources in a folder of its own, in which a recipe of CONTRIBUTING.md is followed. Installed packages are
 * links to those of the workspace, except the workspace’s own.
 */
export async function scratchCopy() {
  const folder = await realpath(newFolder())
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
  /** Replaces the one place where a file has a text. @throws Error when it has it nowhere or twice */
  const change = async (file: string, from: string, to: string): Promise<void> => {
    const parts = (await read(file)).split(from)
    if (parts.length !== 2) throw new Error(`${file} has ${JSON.stringify(from)} ${parts.length - 1} times`)
    await writeFile(at(file), parts.join(to))
    touched.add(file)
  }
  // Its tests are given by name, independent of the stage that runs this one.
  const options = { cwd: folder, env: { ...process.env, OPENFOUNTAIN_TESTS: 'named' } }
  const program = (...args: readonly string[]) =>
    succeed(process.execPath, ['--conditions=openfountain-source', ...args], options)
  return {
    folder,
    /** Follows a recipe. @returns the paths that it changed or made, from the root, sorted */
    async follow(recipe: () => Promise<void>) {
      touched.clear()
      await recipe()
      return [...touched].toSorted()
    },
    read,
    async add(file: string, text: string) {
      await mkdir(path.dirname(at(file)), { recursive: true })
      await writeFile(at(file), text, { flag: 'wx' })
      touched.add(file)
    },
    change,
    insert: (file: string, before: string, text: string) => change(file, before, text + before),
    append: (file: string, after: string, text: string) => change(file, after, after + text),
    program,
    command: (line: string) => program('packages/cli/src/main.ts', ...line.split(' ')),
    /** The JSON that a module prints, run as a file in the copy's `scripts`. */
    async script(text: string) {
      scripts += 1
      const file = `scripts/scratch-${scripts}.ts`
      await writeFile(at(file), text)
      return JSON.parse(await program(file)) as unknown
    },
    async types(...files: readonly string[]) {
      const compilerOptions = {
        incremental: false,
        tsBuildInfoFile: null,
        lib: ['ES2025', 'ESNext', 'DOM', 'DOM.Iterable'],
        types: ['node', 'astro/client'],
        jsx: 'react-jsx',
        jsxImportSource: 'preact',
      }
      const config = { extends: './tsconfig.tests.json', compilerOptions, include: [], files, references: [] }
      await writeFile(at('tsconfig.scratch.json'), JSON.stringify(config))
      const compiler = at('node_modules/typescript-native/bin/tsc')
      return run(process.execPath, [compiler, '-p', 'tsconfig.scratch.json', '--noEmit'], { cwd: folder })
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

async function linkPackages(from: string, to: string): Promise<void> {
  await mkdir(to)
  for (const { name } of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, name), path.join(to, name)]
    // The links of npm to the workspace's packages, which are relative.
    if (name === '@openfountain') await cp(source, target, { recursive: true, verbatimSymlinks: true })
    else if (name === 'openfountain') await symlink('../packages/cli', target)
    else if (name !== '.cache') await symlink(source, target)
  }
}
