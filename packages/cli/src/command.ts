import type { ExitName } from './exit-codes.ts'
import { type Given, type Options, type Positional, readArguments } from './options.ts'
import { Output } from './output.ts'

/** The context of a command. */
export interface Context {
  readonly out: Output
  readonly env: NodeJS.ProcessEnv
}

/** A complete command line, and its effect. */
export interface Example {
  readonly line: string
  readonly does: string
}

export interface CommandParts<O extends Options, P extends readonly Positional[]> {
  /** Words after `openfountain`, such as `user add`. */
  readonly name: string
  /** Other names of the same command. */
  readonly also?: readonly string[]
  /** Its effect, in one sentence. */
  readonly summary: string
  /** Further explanation, in a few sentences. */
  readonly more?: string
  readonly positionals?: P
  readonly options: O
  readonly examples: readonly Example[]
  /** Runs the command. Returns the exit when that is not `done`. */
  run(options: Given<O>, positionals: readonly string[], context: Context): Promise<ExitName | void>
}

/** A declared command. */
export interface Command {
  readonly name: string
  readonly also: readonly string[]
  readonly summary: string
  readonly more?: string
  readonly positionals: readonly Positional[]
  readonly options: Options
  readonly examples: readonly Example[]
  /** Reads its arguments and runs it. @throws CommandError usage */
  execute(args: readonly string[], env: NodeJS.ProcessEnv): Promise<ExitName>
}

/** A command by its names; its module is loaded on use. */
export interface NamedCommand {
  readonly name: string
  readonly also?: readonly string[]
  /** Returns the command of this name. */
  load(): Promise<Command>
}

/** Loads commands, in order. */
export const loaded = (commands: readonly NamedCommand[]): Promise<Command[]> =>
  Promise.all(commands.map((each) => each.load()))

/** Options that every command has. */
export const commonOptions = {
  json: {
    type: 'flag',
    about: 'Writes the result as JSON to standard output, errors as JSON to standard error',
  },
  help: { type: 'flag', short: 'h', about: 'Explains the command' },
} as const satisfies Options

/** Declares a command; help, arguments and their types come from the declaration. */
export function command<const O extends Options, const P extends readonly Positional[]>(
  parts: CommandParts<O, P>,
): Command {
  const positionals = parts.positionals ?? []
  const options = { ...parts.options, ...commonOptions }
  return {
    name: parts.name,
    also: parts.also ?? [],
    summary: parts.summary,
    ...(parts.more !== undefined && { more: parts.more }),
    positionals,
    options,
    examples: parts.examples,
    async execute(args, env) {
      const given = readArguments(args, options, positionals, env)
      const out = new Output(given.values['json'] === true)
      // The values were made from the same declarations as their types.
      const values = given.values as unknown as Given<O>
      return (await parts.run(values, given.positionals, { out, env })) ?? 'done'
    },
  }
}
