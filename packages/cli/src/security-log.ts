import { appendFileSync } from 'node:fs'
import { createPrivate } from '@openfountain/core/internal'
import { CommandError } from './failure.ts'
import { inert } from './inert.ts'
import { type Given, text } from './options.ts'

export const securityLogOption = {
  'security-log': text(
    'FILE',
    'A file to which security events are appended, a line for each; default none',
    { env: 'OPENFOUNTAIN_SECURITY_LOG' },
  ),
}

type SecurityLogSettings = Partial<Given<typeof securityLogOption>>

/** For the owner alone: sign-ins and refusals concern nobody else on the machine. */
const ownMode = 0o600

function append(file: string, text: string): void {
  appendFileSync(file, text, { mode: ownMode })
}

/** The file is opened for each line, so that it can be rotated. @throws CommandError readOnly at once */
export async function securityLogOf(
  settings: SecurityLogSettings,
): Promise<((entry: object) => void) | undefined> {
  const file = settings['security-log']
  if (file === undefined) return undefined
  try {
    createPrivate(file)
    append(file, '')
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error)
    throw new CommandError('readOnly', `--security-log ${file} cannot be written: ${cause}`, 'SECURITY_LOG')
  }
  const { jsonLines } = await import('@openfountain/server')
  return jsonLines((line) => {
    try {
      append(file, line)
    } catch (error) {
      // The work is done and stays; the event must not be lost without a trace.
      process.stderr.write(`Security log ${inert(file)} cannot be written: ${inert(String(error))}\n${line}`)
    }
  })
}
