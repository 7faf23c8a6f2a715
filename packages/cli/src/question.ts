import { createInterface } from 'node:readline/promises'
import { usage } from './failure.ts'
import type { Output } from './output.ts'

/** Whether people can be asked: on a terminal, without --json. */
const canAsk = (out: Output): boolean => process.stdin.isTTY && !out.json

/** Asks a question whose answer is yes by default. @returns false where nobody can be asked */
export async function isWanted(question: string, out: Output): Promise<boolean> {
  return canAsk(out) && !/^n/iu.test(await asked(`${question} [Y/n] `, out, ''))
}

/** @param otherwise the refusal without a terminal, or with --json @throws CommandError usage */
export async function asked(question: string, out: Output, otherwise: string): Promise<string> {
  if (!canAsk(out)) throw usage(otherwise)
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return (await terminal.question(question)).trim()
  } finally {
    terminal.close()
  }
}
