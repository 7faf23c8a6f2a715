import { hasPassword } from '@openfountain/core/internal'
import { usage } from './failure.ts'

/** Addresses of other things, which say themselves what is wrong with them. */
const otherAddress = /^(?:https?|smtps?):/iu

/**
 * Checks that no argument is the address of a database with a password: everybody on the machine can read the command line
 * of a process.
 *
 * @throws CommandError usage, which names the option and the remedy, and not the password
 */
export function mustHaveNoPasswords(args: readonly string[]): void {
  for (const [index, arg] of args.entries()) {
    const [, option, value = arg] = /^(--?[\w-]+)=(.*)$/su.exec(arg) ?? []
    if (otherAddress.test(value) || !hasPassword(value)) continue
    const before = args[index - 1] ?? ''
    const name = option ?? (before.startsWith('--') && before !== '--' ? before : 'The address of a database')
    throw usage(
      `${name} has a password, which everybody on this machine can read in the list of processes: give it as PGPASSWORD, in the file that PGPASSFILE names${name === '--db' ? ', or give the whole address as OPENFOUNTAIN_DB' : ''}`,
    )
  }
}
