import { command, loaded, type Command } from '../command.ts'
import { oneOf, type Option } from '../options.ts'
import { namesOf } from '../help.ts'

export const shells = ['bash', 'zsh', 'fish'] as const

interface Entry {
  readonly name: string
  readonly command: Command
}

/** Second words of commands with what they mean, by the first word. */
type Groups = ReadonlyMap<string, ReadonlyMap<string, string>>

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`
const choicesOf = (option: Option): readonly string[] => (option.type === 'text' && option.choices) || []
const longOf = ({ options }: Command): string[] => Object.keys(options).map((name) => `--${name}`)

const groupsOf = (entries: readonly Entry[]): Groups =>
  new Map(
    [...Map.groupBy(entries, ({ name }) => name.split(' ')[0] ?? '')].flatMap(([first, all]) => {
      const longer = all.filter(({ name }) => name !== first)
      const words = longer.map(
        ({ name, command }) => [name.slice(first.length + 1), command.summary] as const,
      )
      return words.length === 0 ? [] : [[first, new Map(words)] as const]
    }),
  )

const firstWords = (entries: readonly Entry[], groups: Groups): ReadonlyMap<string, string> =>
  new Map([
    ...[...groups].map(([first, words]) => [first, [...words.keys()].join(', ')] as const),
    ...entries.flatMap(({ name, command }) => (name.includes(' ') ? [] : [[name, command.summary] as const])),
  ])

const longNames = (entries: readonly Entry[]): string[] =>
  entries.flatMap(({ name }) => (name.includes(' ') ? [name] : []))

function bash(entries: readonly Entry[], groups: Groups): string[] {
  const cases = entries.map(({ name, command }) => {
    const values = Object.entries(command.options).flatMap(([option, { type }]) =>
      type === 'flag' ? [] : [`--${option}`],
    )
    const words = [...(groups.get(name)?.keys() ?? []), ...longOf(command)]
    return `    '${name}') words='${words.join(' ')}' values='${values.join(' ')}' ;;`
  })
  const onlyGroups = [...groups].filter(([first]) => !entries.some(({ name }) => name === first))
  const choices = entries.flatMap(({ name, command }) =>
    Object.entries(command.options).flatMap(([option, each]) =>
      choicesOf(each).length === 0
        ? []
        : [`    '${name} --${option}') words='${choicesOf(each).join(' ')}' ;;`],
    ),
  )
  return [
    '_openfountain() {',
    '  local current="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD - 1]}"',
    '  local name="${COMP_WORDS[1]}" words= values=',
    '  COMPREPLY=()',
    '  if ((COMP_CWORD > 2)); then',
    '    case "$name ${COMP_WORDS[2]}" in',
    `      ${longNames(entries).map(quoted).join(' | ')}) name+=" \${COMP_WORDS[2]}" ;;`,
    '    esac',
    '  fi',
    '  case "$name" in',
    ...onlyGroups.map(([first, all]) => `    '${first}') words='${[...all.keys()].join(' ')}' ;;`),
    ...cases,
    '  esac',
    `  ((COMP_CWORD == 1)) && words='${[...firstWords(entries, groups).keys()].join(' ')} --help --version'`,
    '  case "$name $previous" in',
    ...choices,
    '    *) [[ " $values " == *" $previous "* ]] && return ;;',
    '  esac',
    '  COMPREPLY=($(compgen -W "$words" -- "$current"))',
    '}',
    // Without a word of its own, bash completes names of files.
    'complete -o default -F _openfountain openfountain',
  ]
}

/** Bash's script, which zsh runs. */
const zsh = (...given: Parameters<typeof bash>): string[] => [
  '#compdef openfountain',
  'autoload -Uz bashcompinit && bashcompinit',
  ...bash(...given),
  // A file in fpath is the function itself the first time.
  '[[ $funcstack[1] != _openfountain ]] || _bash_complete -o default -F _openfountain',
]

function fish(entries: readonly Entry[], groups: Groups): string[] {
  const complete = `complete -c openfountain`
  const option = (name: string, [long, each]: readonly [string, Option]): string => {
    const choices = choicesOf(each)
    const value = each.type === 'flag' ? '' : choices.length === 0 ? ' -r' : ` -x -a '${choices.join(' ')}'`
    const longer = entries.filter((other) => other.name.startsWith(`${name} `))
    const others = longer.map((other) => `; and not __openfountain_in ${other.name}`).join('')
    return `${complete} -n '__openfountain_in ${name}${others}' -l ${long}${value} -d ${quoted(each.about)}`
  }
  return [
    'function __openfountain_at',
    '    set -l words (commandline -opc)',
    '    set -e words[1]',
    '    test "$words" = "$argv"',
    'end',
    'function __openfountain_in',
    '    set -l words (commandline -opc)',
    '    set -e words[1]',
    '    string match -q -- "$argv *" "$words "',
    'end',
    ...[...firstWords(entries, groups)].map(
      ([word, about]) => `${complete} -n '__openfountain_at' -f -a ${word} -d ${quoted(about)}`,
    ),
    ...[...groups].flatMap(([first, all]) =>
      [...all].map(
        ([word, about]) => `${complete} -n '__openfountain_at ${first}' -f -a ${word} -d ${quoted(about)}`,
      ),
    ),
    ...entries.flatMap(({ name, command }) =>
      Object.entries(command.options).map((each) => option(name, each)),
    ),
  ]
}

export function completionScript(shell: (typeof shells)[number], commands: readonly Command[]): string {
  const entries = commands.flatMap((command) => namesOf(command).map((name) => ({ name, command })))
  return { bash, zsh, fish }[shell](entries, groupsOf(entries)).join('\n')
}

const completion = command('completion', {
  summary: 'Prints the script by which a shell completes commands, options and their choices.',
  more: 'SHELL is bash, zsh or fish. The script knows the commands of this version: write it again after an upgrade.',
  places: { shell: { about: 'For which shell', ...oneOf(shells) } },
  options: {},
  examples: {
    'completion bash > ~/.local/share/bash-completion/completions/openfountain':
      'Lets bash complete; new shells read it',
    'completion zsh > ~/.zfunc/_openfountain': 'The same for zsh, where ~/.zfunc is in fpath',
    'completion fish > ~/.config/fish/completions/openfountain.fish': 'The same for fish',
  },
  async run({ shell }, { out }) {
    // Imported here, since the list of commands includes this one.
    const { commands } = await import('./all.ts')
    const script = completionScript(shell, await loaded(commands))
    out.result({ shell, script }, () => [script])
  },
})

export const commands = [completion]
