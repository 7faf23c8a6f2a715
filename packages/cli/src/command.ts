import type { ExitName } from './exit-codes.ts'
import {
  flag,
  type Given,
  type GivenPlaces,
  type Options,
  type Places,
  type Positional,
  positionalsOf,
  readArguments,
} from './options.ts'
import { Output } from './output.ts'

export interface Context {
  readonly out: Output
  readonly env: NodeJS.ProcessEnv
}

export interface Example {
  readonly line: string
  readonly does: string
}

export interface CommandParts<O extends Options, P extends Places> {
  readonly also?: readonly string[]
  readonly summary: string
  readonly more?: string
  readonly places?: P
  readonly options: O
  /** Effects of complete command lines, by the words after `openfountain`. */
  readonly examples: Readonly<Record<string, string>>
  /** Runs the command with its options and positional arguments. Returns the exit when that is not `done`. */
  run(given: Given<O> & GivenPlaces<P>, context: Context): Promise<ExitName | undefined | void>
}

export interface Command {
  readonly name: string
  readonly also: readonly string[]
  readonly summary: string
  readonly more?: string
  readonly positionals: readonly Positional[]
  readonly options: Options
  readonly examples: readonly Example[]
  execute(args: readonly string[], env: NodeJS.ProcessEnv): Promise<ExitName>
}

/** A command by its names; its module is loaded on use. */
export interface NamedCommand {
  readonly name: string
  readonly also?: readonly string[]
  load(): Promise<Command>
}

export const loaded = (commands: readonly NamedCommand[]): Promise<Command[]> =>
  Promise.all(commands.map((each) => each.load()))

export const commonOptions = {
  json: flag('Writes the result as JSON to standard output, errors as JSON to standard error'),
  help: flag('Explains the command', { short: 'h' }),
}

/** Declares a command by the words after `openfountain`; help and the types of arguments follow. */
export function command<const O extends Options, const P extends Places = Readonly<Record<never, never>>>(
  name: string,
  { places, run, ...parts }: CommandParts<O, P>,
): Command {
  const positionals = positionalsOf(places ?? {})
  const options = { ...parts.options, ...commonOptions }
  return {
    ...parts,
    name,
    also: parts.also ?? [],
    positionals,
    options,
    examples: Object.entries(parts.examples).map(([line, does]) => ({ line: `openfountain ${line}`, does })),
    async execute(args, env) {
      const given = readArguments(args, options, positionals, env)
      const values = positionals.map(({ name, reads, rest }, index) => {
        if (rest) return [name.toLowerCase(), given.positionals.slice(index)] as const
        const word = given.positionals[index]
        return [
          name.toLowerCase(),
          word === undefined || reads === undefined ? word : reads(name, word),
        ] as const
      })
      const out = new Output(given.values['json'] === true)
      // The values were read by the declarations that their types come from.
      const all = { ...given.values, ...Object.fromEntries(values) } as unknown as Given<O> & GivenPlaces<P>
      return (await run(all, { out, env })) ?? 'done'
    },
  }
}
