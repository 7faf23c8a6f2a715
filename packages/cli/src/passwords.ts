import { hasPassword } from '@openfountain/core/internal'
import { usage } from './failure.ts'

/** Addresses other than databases, checked elsewhere. */
const otherAddress = /^(?:https?|smtps?):/iu

/** Everybody on the machine can read a command line. @throws CommandError usage, without the password */
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
