import { setFlagsFromString } from 'node:v8'

/**
 * Runs work that makes very many short-lived objects without letting V8 grow the space for them. V8 doubles that
 * space as long as objects survive in it, which the rows of a batch do until they are written; for a large file the
 * process then holds 150 MB more than it needs, and is not faster for it. V8's own factor is put back at the end.
 */
export async function withSteadyHeap<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  running += 1
  setFlagsFromString('--semi-space-growth-factor=1')
  try {
    return await work()
  } finally {
    running -= 1
    if (running === 0) setFlagsFromString('--semi-space-growth-factor=2')
  }
}

let running = 0
