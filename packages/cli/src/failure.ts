import type { ExitName } from './exit-codes.ts'

/** A failure with the command's own message: one line with the problem and the remedy. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  readonly exit: ExitName
  readonly code: string
  readonly details: Readonly<Record<string, unknown>>

  /** @param code the code in `--json` output */
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

export const usage = (message: string): CommandError => new CommandError('usage', message, 'USAGE')

/** Makes a handler that throws each error as its conversion. */
export const rethrown =
  (convert: (error: unknown) => unknown): ((error: unknown) => Promise<never>) =>
  async (error) => {
    throw await convert(error)
  }
