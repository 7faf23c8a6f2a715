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

/** What ends long work early. */
export interface Interruption {
  /** Aborted by the first SIGTERM or Ctrl-C, and when the process that started this one is gone. A second signal ends the process at once. */
  readonly signal: AbortSignal
  /** Leaves signals to the system again. */
  release(): void
}

/** Lets long work end by itself, so that it can tidy up, when somebody wants the process to end. */
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
    // The listener alone would keep a command that is done from ending.
    process.channel.unref()
  }
  return {
    signal: controller.signal,
    release: () => void process.off('SIGTERM', onSignal).off('SIGINT', onSignal).off('disconnect', abort),
  }
}
