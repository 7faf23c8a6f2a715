import { setFlagsFromString } from 'node:v8'

/**
 * Runs work that makes very many short-lived objects without letting V8 grow its heap for them. V8 doubles the space
 * of young objects as long as objects survive in it, which the rows of a batch do until they are written, and lets
 * the space of old ones grow to a multiple of what lives there; for a large file the process then holds 200 MB more
 * than it needs, and is not faster for it. V8's own factors are put back at the end.
 */
export async function withSteadyHeap<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  running += 1
  setFlagsFromString('--semi-space-growth-factor=1')
  setFlagsFromString('--heap-growing-percent=30')
  try {
    return await work()
  } finally {
    running -= 1
    if (running === 0) {
      setFlagsFromString('--semi-space-growth-factor=2')
      setFlagsFromString('--heap-growing-percent=0')
    }
  }
}

let running = 0
