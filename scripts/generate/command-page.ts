import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { commonOptions, loaded, type Command } from '../../packages/cli/src/command.ts'
import { commands } from '../../packages/cli/src/commands/all.ts'
import { exitCodes } from '../../packages/cli/src/exit-codes.ts'
import { explanationsOf, meaningOf, ownOptions, synopsisOf, usageLine } from '../../packages/cli/src/help.ts'
import type { Options } from '../../packages/cli/src/options.ts'
import { root } from '../packages/folders.ts'
import { table, withTable } from './tables.ts'

const page = 'docs/cli.md'

const optionTable = (options: Options): string =>
  table(
    ['Option', 'Meaning'],
    Object.entries(options).map(([name, option]) => [`\`${synopsisOf(name, option)}\``, meaningOf(option)]),
  )

const exitTable = (): string =>
  table(
    ['Exit code', 'Meaning'],
    Object.values(exitCodes).map(({ code, meaning }) => [String(code), meaning]),
  )

function chapter(command: Command): string {
  const places = command.positionals.map(({ name, about }) => `- \`${name}\`: ${about}`)
  const options = ownOptions(command)
  return [
    `## ${command.name}`,
    command.summary,
    ...explanationsOf(command),
    `\`\`\`\n${usageLine(command)}\n\`\`\``,
    ...(places.length === 0 ? [] : [places.join('\n')]),
    ...(Object.keys(options).length === 0 ? [] : [optionTable(options)]),
    ['```sh', ...command.examples.flatMap(({ line, does }) => [`# ${does}`, line]), '```'].join('\n'),
  ].join('\n\n')
}

/** The manual: its introduction with the tables of every command, then a chapter of each, from what --help says. */
export async function commandPage(): Promise<readonly [string, string]> {
  const all = await loaded(commands)
  const text = await readFile(join(root, page), 'utf8')
  const introduction = text.slice(0, text.indexOf(`\n## ${all[0]?.name}\n`))
  const tables = [optionTable(commonOptions), exitTable()]
  const chapters = all.map((command) => `${chapter(command)}\n`)
  return [page, [tables.reduce(withTable, introduction), ...chapters].join('\n')]
}
