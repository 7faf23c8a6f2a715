import { createInterface } from 'node:readline/promises'
import { usage } from './failure.ts'
import type { Output } from './output.ts'

/**
 * Asks a question on the terminal.
 *
 * @param otherwise the refusal where nobody can be asked: without a terminal, or with --json
 * @returns the trimmed answer
 * @throws CommandError usage
 */
export async function asked(question: string, out: Output, otherwise: string): Promise<string> {
  if (!process.stdin.isTTY || out.json) throw usage(otherwise)
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return (await terminal.question(question)).trim()
  } finally {
    terminal.close()
  }
}
