import { createInterface } from 'node:readline/promises'

/** Asks a question on the terminal. @returns the trimmed answer */
export async function asked(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return (await terminal.question(question)).trim()
  } finally {
    terminal.close()
  }
}
