import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { run, type Ended } from '../packages/command.ts'
import { root } from '../packages/folders.ts'
import type { Block } from '../packages/blocks.ts'
import { prepareFolder } from './program.ts'

/** A folder in which the blocks of a guide run one after another, with `openfountain` as if it were installed. */
export async function prepareGuide(folder: string): Promise<NodeJS.ProcessEnv> {
  await prepareFolder(folder)
  const programs = join(folder, '.bin')
  await mkdir(programs)
  const command = join(root, 'packages/cli/bin/openfountain.mjs')
  const source = `exec '${process.execPath}' --conditions=openfountain-source '${command}' "$@"`
  await addProgram(folder, 'openfountain', source)
  return { ...process.env, PATH: `${programs}:${process.env['PATH'] ?? ''}`, NO_COLOR: '1' }
}

/** A program in the first folder of the guide's PATH. */
export async function addProgram(folder: string, name: string, script: string): Promise<void> {
  const file = join(folder, '.bin', name)
  await writeFile(file, `#!/bin/sh\n${script}\n`)
  await chmod(file, 0o755)
}

/** The Python with Debian's packages, which another one in the PATH lacks. */
const python = '/usr/bin/python3'

/** Whether a block is run: `ts` programs that are not written to a file, and blocks of other languages marked `run`. */
export const isRun = ({ language, words }: Block): boolean =>
  language === 'ts' ? words[0]?.includes('/') !== true : words[0] === 'run'

/** The expected output of a block: the following text block, where it is marked as shown. */
export function shownBy(block: Block, blocks: readonly Block[]): string | undefined {
  const next = blocks[blocks.indexOf(block) + 1]
  return next?.language === 'text' && next.words[0] === 'shown' ? next.code : undefined
}

/**
 * Runs a block: a program (`ts`, `py run`, `r run`), a query of DuckDB (`sql run`), or commands of a shell that stops at the first
 * failure (`sh run`).
 */
export async function runBlock(block: Block, folder: string, env: NodeJS.ProcessEnv): Promise<Ended> {
  if (block.language === 'sh')
    return run('bash', ['-euo', 'pipefail', '-c', block.code], { cwd: folder, env })
  if (block.language === 'py') return run(python, ['-c', block.code], { cwd: folder, env })
  if (block.language === 'r') return run('Rscript', ['--vanilla', '-e', block.code], { cwd: folder, env })
  if (block.language === 'sql')
    return run(process.execPath, [join(root, 'scripts/snippets/duckdb.ts'), block.code], { cwd: folder, env })
  const file = `block-${block.line}.ts`
  await writeFile(join(folder, file), block.code)
  return run(process.execPath, ['--conditions=openfountain-source', file], { cwd: folder, env })
}

/** The commands in a guide: the words after `openfountain` on lines of commands and of systemd units. */
export function commandLines(markdown: string): string[] {
  const calls =
    /^(?: {4}|ExecStart=(?:.*exec )?)?(?:sudo -u openfountain )?(?:\/usr\/local\/bin\/)?openfountain ([^|>&#\n]*)/gmu
  return [...markdown.matchAll(calls)]
    .map(([, words = '']) => words.trim())
    .filter((words) => !words.startsWith('--'))
}
