import { type Command, type NamedCommand, commonOptions } from './command.ts'
import { exitCodes } from './exit-codes.ts'
import type { Option, Options } from './options.ts'

const width = 96

function wrapped(text: string, columns: number): string[] {
  const lines: string[] = []
  for (const word of text.split(/\s+/u)) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= columns)
      lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

export function synopsisOf(name: string, option: Option): string {
  const long = option.type === 'flag' ? `--${name}` : `--${name} ${option.value}`
  return option.short === undefined ? long : `-${option.short}, ${long}`
}

export function meaningOf(option: Option): string {
  const facts: string[] = []
  if (option.type === 'text' && option.choices) facts.push(`one of ${option.choices.join(', ')}`)
  if (option.type === 'list') facts.push('repeatable')
  if ('required' in option) facts.push('required')
  if ('default' in option) facts.push(`default ${option.default}`)
  if (option.env !== undefined) facts.push(`or ${option.env}`)
  return facts.length === 0 ? option.about : `${option.about} (${facts.join('; ')})`
}

function columns(rows: readonly (readonly [left: string, right: string])[]): string[] {
  const left = Math.min(30, Math.max(...rows.map(([name]) => name.length)))
  return rows.flatMap(([name, about]) => {
    const [first = '', ...rest] = wrapped(about, width - left - 4)
    const head =
      name.length > left
        ? [`  ${name}`, `  ${' '.repeat(left)}  ${first}`]
        : [`  ${name.padEnd(left)}  ${first}`]
    return [...head, ...rest.map((line) => `  ${' '.repeat(left)}  ${line}`)]
  })
}

/** The usage of a command, such as `openfountain user show ID [options]`. */
export function usageLine({ name, positionals }: Command): string {
  const places = positionals.map(({ name: place, optional, rest }) =>
    rest ? `[${place}…]` : optional ? `[${place}]` : place,
  )
  return ['openfountain', name, ...places, '[options]'].join(' ')
}

const optionRows = (options: Options): [string, string][] =>
  Object.entries(options).map(([name, option]) => [synopsisOf(name, option), meaningOf(option)])

const exampleLines = (command: Pick<Command, 'examples'>): string[] =>
  command.examples.flatMap(({ line, does }) => [`  # ${does}`, `  ${line}`])

export const namesOf = ({ name, also = [] }: NamedCommand | Command): readonly string[] => [name, ...also]

const alsoText = ({ also }: Command): string | undefined =>
  also.length === 0 ? undefined : `openfountain ${also.join(', openfountain ')} is the same.`

export const explanationsOf = (command: Command): string[] =>
  [command.more, alsoText(command)].filter((text) => text !== undefined)

export const ownOptions = ({ options }: Command): Options =>
  Object.fromEntries(Object.entries(options).filter(([name]) => !(name in commonOptions)))

const sectionsText = (...sections: readonly (readonly string[])[]): string =>
  `${sections.map((section) => section.join('\n')).join('\n\n')}\n`

export function helpOf(command: Command): string {
  const { positionals } = command
  return sectionsText(
    [`Usage: ${usageLine(command)}`],
    wrapped(command.summary, width),
    ...explanationsOf(command).map((text) => wrapped(text, width)),
    ...(positionals.length === 0
      ? []
      : [['Arguments:', ...columns(positionals.map(({ name, about }) => [name, about]))]]),
    ['Options:', ...columns([...optionRows(ownOptions(command)), ...optionRows(commonOptions)])],
    ['Examples:', ...exampleLines(command)],
  )
}

export function helpOfGroup(group: string, commands: readonly Command[]): string {
  const rows = commands.flatMap((command) =>
    namesOf(command)
      .filter((name) => name.startsWith(`${group} `))
      .map(
        (name) => [name, name === command.name ? command.summary : `The same as ${command.name}.`] as const,
      ),
  )
  return sectionsText(
    [`Usage: openfountain ${group} COMMAND [options]`],
    ['Commands:', ...columns(rows)],
    ['Examples:', ...commands.flatMap((command) => exampleLines({ examples: command.examples.slice(0, 1) }))],
    [`openfountain ${group} COMMAND --help explains a command.`],
  )
}

export const helpOfAll = (commands: readonly Command[]): string =>
  sectionsText(
    ['Usage: openfountain COMMAND [options]'],
    ['An open registry of public water fountains that anyone can run.'],
    ['Commands:', ...columns(commands.map(({ name, summary }) => [name, summary]))],
    [
      'Examples:',
      '  # Creates a registry with a link for its first moderator, and serves it',
      '  openfountain user invite --name Ada --moderator',
      '  openfountain serve --port 3000',
      '  # Imports a city’s fountains, and publishes them as files and as a map',
      '  openfountain import fountains.geojson --source "City of Lund" --license CC0-1.0',
      '  openfountain export --out exports',
      '  openfountain site build --data exports --out site',
    ],
    [
      'Databases:',
      ...columns([
        ['fountains.db', 'A file'],
        ['postgres://USER@HOST/NAME', 'A database on a PostgreSQL server; docs/cli.md has its options'],
        ['PGPASSWORD, PGPASSFILE', 'Its password, or the file that has it; never an argument'],
        ['PGSERVICE, PGSSLMODE', 'And the other variables of PostgreSQL’s own programs'],
      ]),
    ],
    ['Exit codes:', ...columns(Object.values(exitCodes).map(({ code, meaning }) => [String(code), meaning]))],
    ['openfountain COMMAND --help explains a command; openfountain --version prints the version.'],
  )
