import { styleText } from 'node:util'
import { versionText } from '@openfountain/core/version'
import { loaded, type Command, type NamedCommand } from './command.ts'
import { exitCodes, type ExitName } from './exit-codes.ts'
import { usage } from './failure.ts'
import { helpOf, helpOfAll, helpOfGroup, namesOf } from './help.ts'
import { inertJson, inertLines } from './inert.ts'

const asksForHelp = (word: string): boolean => word === '--help' || word === '-h' || word === 'help'

type Found =
  | { readonly kind: 'command'; readonly command: Command; readonly args: readonly string[] }
  | { readonly kind: 'help'; readonly text: string }

function beforeTerminator(args: readonly string[]): readonly string[] {
  const terminator = args.indexOf('--')
  return terminator === -1 ? args : args.slice(0, terminator)
}

async function find(commands: readonly NamedCommand[], args: readonly string[]): Promise<Found> {
  const [first, second] = args
  if (first === undefined || asksForHelp(first)) {
    const group = second === undefined ? [] : args.slice(1)
    if (group.length > 0) return find(commands, [...group, '--help'])
    return { kind: 'help', text: helpOfAll(await loaded(commands)) }
  }
  const named = (name: string) => commands.find((each) => namesOf(each).includes(name))
  const longer = named(`${first} ${second}`)
  const command = await (longer ?? named(first))?.load()
  if (command) {
    const rest = args.slice(longer === undefined ? 1 : 2)
    if (beforeTerminator(rest).some((word) => word === '--help' || word === '-h'))
      return { kind: 'help', text: helpOf(command) }
    return { kind: 'command', command, args: rest }
  }
  const group = commands.filter((each) => namesOf(each).some((name) => name.startsWith(`${first} `)))
  if (group.length === 0)
    throw usage(`command ${JSON.stringify(first)} not found; openfountain --help lists all commands`)
  if (second !== undefined && asksForHelp(second))
    return { kind: 'help', text: helpOfGroup(first, await loaded(group)) }
  const names = group.map(({ name }) => name).join(', ')
  throw usage(
    second === undefined
      ? `${first} needs a subcommand: ${names}`
      : `command ${JSON.stringify(`${first} ${second}`)} not found; the commands are ${names}`,
  )
}

async function report(error: unknown, asJson: boolean): Promise<ExitName> {
  const { describeFailure } = await import('./failure-report.ts')
  const { exit, code, message, details, unexpected } = describeFailure(error)
  const stack = unexpected && error instanceof Error ? error.stack : undefined
  if (asJson) process.stderr.write(`${inertJson({ error: message, code, details })}\n`)
  else {
    const label = styleText('red', 'openfountain:', { stream: process.stderr })
    process.stderr.write(`${label} ${inertLines(message)}\n`)
  }
  if (stack !== undefined && process.env['OPENFOUNTAIN_DEBUG'] !== undefined)
    process.stderr.write(`${stack}\n`)
  return exit
}

/** Runs the words after `openfountain`; failures are written to standard error. @returns the exit code */
export async function run(
  commands: readonly NamedCommand[],
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<number> {
  const asJson = beforeTerminator(args).includes('--json')
  try {
    if (args[0] === '--version') {
      process.stdout.write(`${versionText}\n`)
      return exitCodes.done.code
    }
    // Loaded here because it loads the registry, which takes most of the startup time.
    const { mustHaveNoPasswords } = await import('./passwords.ts')
    mustHaveNoPasswords(args)
    const found = await find(commands, args)
    if (found.kind === 'help') {
      process.stdout.write(found.text)
      return args.length === 0 ? exitCodes.usage.code : exitCodes.done.code
    }
    return exitCodes[await found.command.execute(found.args, env)].code
  } catch (error) {
    return exitCodes[await report(error, asJson)].code
  }
}
