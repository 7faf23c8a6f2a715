import type { Command } from './command.ts'
import { commonOptions } from './command.ts'
import { exitCodes } from './exit-codes.ts'
import { meaningOf, synopsisOf, usageLine } from './help.ts'
import { widthOf } from './inert.ts'
import type { Options } from './options.ts'

const cell = (text: string): string => text.replaceAll('|', String.raw`\|`)

/** A Markdown table with columns of even width. */
function table(heading: readonly [string, string], rows: readonly (readonly [string, string])[]): string[] {
  const cells = [heading, ...rows].map(([left, right]) => [cell(left), cell(right)] as const)
  const widths = [0, 1].map((column) => Math.max(...cells.map((line) => widthOf(line[column] ?? ''))))
  const padded = (text: string, column: number): string =>
    text + ' '.repeat((widths[column] ?? 0) - widthOf(text))
  const [first = '', ...rest] = cells.map(([left, right]) => `| ${padded(left, 0)} | ${padded(right, 1)} |`)
  return [first, `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...rest]
}

function optionTable(options: Options): string[] {
  const rows = Object.entries(options).map(
    ([name, option]) => [`\`${synopsisOf(name, option)}\``, meaningOf(option)] as const,
  )
  return rows.length === 0 ? [] : ['', ...table(['Option', 'Meaning'], rows)]
}

function chapter(command: Command): string[] {
  const own = Object.fromEntries(Object.entries(command.options).filter(([name]) => !(name in commonOptions)))
  return [
    '',
    `## ${command.name}`,
    '',
    command.summary,
    ...(command.more === undefined ? [] : ['', command.more]),
    '',
    '```',
    usageLine(command),
    '```',
    ...(command.positionals.length === 0
      ? []
      : ['', ...command.positionals.map(({ name, about }) => `- \`${name}\`: ${about}`)]),
    ...optionTable(own),
    '',
    '```sh',
    ...command.examples.flatMap(({ line, does }) => [`# ${does}`, line]),
    '```',
  ]
}

/** The manual of all commands as Markdown, from the same declarations as --help. */
export function manual(commands: readonly Command[]): string {
  return [
    '# The command `openfountain`',
    '',
    'Every command works on a database file while a server runs on the same file. `--json` writes JSON to',
    'standard output and errors as JSON to standard error; without it there are tables for people, and a progress bar',
    'when standard error is a terminal. An option that is not given takes the value of its environment variable. With',
    '`OPENFOUNTAIN_DEBUG=1` unexpected errors print a stack trace.',
    '',
    'These options belong to every command:',
    ...optionTable(commonOptions),
    '',
    ...table(
      ['Exit code', 'Meaning'],
      Object.values(exitCodes).map(({ code, meaning }) => [String(code), meaning] as const),
    ),
    ...commands.flatMap(chapter),
    '',
  ].join('\n')
}
