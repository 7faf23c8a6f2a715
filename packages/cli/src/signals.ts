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

/**
 * Runs long work that stops and tidies up on the first SIGTERM or Ctrl-C, or at the end of the parent process. A second
 * signal ends the process at once.
 */
export async function interruptible<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
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
  try {
    return await work(controller.signal)
  } finally {
    process.off('SIGTERM', onSignal).off('SIGINT', onSignal).off('disconnect', abort)
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
