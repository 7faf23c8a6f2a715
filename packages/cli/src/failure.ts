import type { ExitName } from './exit-codes.ts'

/** A failure with a message of the command: one line that says what is wrong and what to do. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  readonly exit: ExitName
  readonly code: string
  readonly details: Readonly<Record<string, unknown>>

  /** @param code what `--json` calls it */
  constructor(
    exit: ExitName,
    message: string,
    code: string = exit.toUpperCase(),
    details: Readonly<Record<string, unknown>> = {},
  ) {
    super(message)
    this.exit = exit
    this.code = code
    this.details = details
  }
}

/** Wrong usage of the command. */
export function usage(message: string): CommandError {
  return new CommandError('usage', message, 'USAGE')
}
