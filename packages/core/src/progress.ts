import { knownOptions } from './schemas/parse.ts'

/** How a long call tells how far it is, and how it is ended. */
export interface ProgressOptions {
  /** Called now and then with the amount done and the total. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined
  /** Ends the call, which is then rejected with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/** A function for progress that throws the reason of the signal once it is aborted. */
export function progressOf(options: ProgressOptions): (done: number, total: number) => void {
  const { onProgress, signal } = knownOptions(options, ['onProgress', 'signal'])
  signal?.throwIfAborted()
  return (done, total) => {
    onProgress?.(done, total)
    signal?.throwIfAborted()
  }
}
