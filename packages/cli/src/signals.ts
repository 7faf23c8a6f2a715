/** Waits for SIGTERM or SIGINT (Ctrl-C); a second one ends the process at once. */
export function untilSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let received = false
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        if (received) process.exit(signal === 'SIGINT' ? 130 : 143)
        received = true
        resolve(signal)
      })
    }
  })
}

/** Early end of long work. */
export interface Interruption {
  /**
   * Aborted by the first SIGTERM or Ctrl-C, and by the end of the parent process. A second signal ends the process at
   * once.
   */
  readonly signal: AbortSignal
  /** Restores the default handling of signals. */
  release(): void
}

/** Lets long work stop and tidy up on a signal. */
export function interruption(): Interruption {
  const controller = new AbortController()
  const abort = () => controller.abort(new DOMException('Stopped', 'AbortError'))
  let isSecond = false
  const onSignal = (signal: NodeJS.Signals): void => {
    if (isSecond) process.exit(signal === 'SIGINT' ? 130 : 143)
    isSecond = true
    abort()
  }
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal)
  if (process.channel) {
    process.on('disconnect', abort)
    // The listener alone would keep a finished command running.
    process.channel.unref()
  }
  return {
    signal: controller.signal,
    release: () => void process.off('SIGTERM', onSignal).off('SIGINT', onSignal).off('disconnect', abort),
  }
}

/** Runs work that the first of some signals stops; by default SIGTERM and Ctrl-C. */
export async function stoppable<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
  signals: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM'],
): Promise<Result> {
  const controller = new AbortController()
  const stop = (): void => controller.abort()
  for (const signal of signals) process.once(signal, stop)
  try {
    return await work(controller.signal)
  } finally {
    for (const signal of signals) process.off(signal, stop)
  }
}
