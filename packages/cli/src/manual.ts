import type { Command } from './command.ts'
import { commonOptions } from './command.ts'
import { exitCodes } from './exit-codes.ts'
import { explanationsOf, meaningOf, ownOptions, synopsisOf, usageLine } from './help.ts'
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
  return [
    '',
    `## ${command.name}`,
    '',
    command.summary,
    ...explanationsOf(command).flatMap((text) => ['', text]),
    '',
    '```',
    usageLine(command),
    '```',
    ...(command.positionals.length === 0
      ? []
      : ['', ...command.positionals.map(({ name, about }) => `- \`${name}\`: ${about}`)]),
    ...optionTable(ownOptions(command)),
    '',
    '```sh',
    ...command.examples.flatMap(({ line, does }) => [`# ${does}`, line]),
    '```',
  ]
}

/** Refusals of databases on a server, with their exit codes. */
const refusals: readonly (readonly [string, string])[] = [
  [
    '2',
    'The address, or a setting of a service, is wrong; it has a password; or a file is needed: `restore`',
  ],
  ['12', 'The user may not make or use the tables'],
  ['14', 'There is no such database, no registry in it yet, or `@openfountain/postgres` is not installed'],
  ['15, 16', 'A newer openfountain wrote it, or an earlier one whose format is no longer read'],
  ['19', 'No server can be reached for ten seconds, or the one that is there is older than PostgreSQL 15'],
  ['19', 'The password is wrong or unknown, or the server does not let the user in'],
  ['19', 'The command writes, and all servers of the address are standbys'],
]

const databases: readonly string[] = [
  '',
  '## Databases',
  '',
  '`--db` takes a file, or the address of a database on a PostgreSQL server, for which `@openfountain/postgres` is',
  '[installed](installing.md) beside the command:',
  '',
  '```',
  'postgres://USER@HOST:PORT,HOST:PORT/NAME?OPTIONS',
  '```',
  '',
  'The user owns the database and needs no other right: `createdb --owner=USER NAME`. Of several hosts the first that takes',
  'writes is used, and another one when that is lost; commands that only read also use a standby. The options are those of',
  'PostgreSQL’s own programs: `sslmode`, `sslrootcert`, `sslcert`, `sslkey`, `target_session_attrs` (`read-write`, `primary` or `any`),',
  '`connect_timeout`, `application_name`, `host` (also the folder of a socket), `port`, `user`, `dbname`, `passfile`, `service`. What an',
  'address leaves out comes from its service in the file that `PGSERVICEFILE` names (default `~/.pg_service.conf`; `PGSERVICE`',
  'names a service, too), then from `PGHOST`, `PGPORT`, `PGUSER`, `PGDATABASE`, `PGSSLMODE` and the like.',
  '',
  '**A password in an argument is refused**, since everybody on the machine can read the arguments of a process. Give it as',
  '`PGPASSWORD`, in the file that `PGPASSFILE` names (default `~/.pgpass`, mode 0600), or give the whole address as `OPENFOUNTAIN_DB`.',
  'It is in no output, no log and no error.',
  '',
  'Every command works on either kind of database, but `restore`: restore to a file, and `copy` that to a server. Each refusal',
  'says what to do:',
  '',
  ...table(['Exit code', 'On a server'], refusals),
]

/** The manual of all commands as Markdown, from the same declarations as --help. */
export function manual(commands: readonly Command[]): string {
  return [
    '# The command `openfountain`',
    '',
    'Every command works on a database while servers run on it. `--json` writes JSON to',
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
    ...databases,
    ...commands.flatMap(chapter),
    '',
  ].join('\n')
}
