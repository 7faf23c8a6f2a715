import { createInterface } from 'node:readline/promises'

/** Asks who sits at the terminal. @returns the answer without spaces around it */
export async function asked(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return (await terminal.question(question)).trim()
  } finally {
    terminal.close()
  }
}
