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
  await writeFile(
    join(programs, 'openfountain'),
    `#!/bin/sh\nexec '${process.execPath}' --conditions=openfountain-source '${command}' "$@"\n`,
  )
  await chmod(join(programs, 'openfountain'), 0o755)
  return { ...process.env, PATH: `${programs}:${process.env['PATH'] ?? ''}`, NO_COLOR: '1' }
}

/** Runs a block: a program of its own (`ts`), or commands of a shell that stops at the first failure (`sh run`). */
export async function runBlock(block: Block, folder: string, env: NodeJS.ProcessEnv): Promise<Ended> {
  if (block.language === 'sh')
    return run('bash', ['-euo', 'pipefail', '-c', block.code], { cwd: folder, env })
  const file = `block-${block.line}.ts`
  await writeFile(join(folder, file), block.code)
  return run(process.execPath, ['--conditions=openfountain-source', file], { cwd: folder, env })
}

/** The commands in a guide: the words after `openfountain` on lines of commands and of systemd units. */
export function commandLines(markdown: string): string[] {
  const calls = /^(?: {4}|ExecStart=(?:.*exec )?)?(?:sudo -u openfountain )?openfountain ([^|>&#\n]*)/gmu
  return [...markdown.matchAll(calls)]
    .map(([, words = '']) => words.trim())
    .filter((words) => !words.startsWith('--'))
}
