/** Calls `stop` at the first SIGTERM or Ctrl-C; a second one ends the process at once. @returns the end of that */
function onSignals(stop: () => void): () => void {
  let isSecond = false
  const onSignal = (signal: NodeJS.Signals): void => {
    if (isSecond) process.exit(signal === 'SIGINT' ? 130 : 143)
    isSecond = true
    stop()
  }
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal)
  return () => process.off('SIGTERM', onSignal).off('SIGINT', onSignal)
}

/** Waits for SIGTERM or Ctrl-C; a second one ends the process at once. */
export const untilSignal = (): Promise<void> => new Promise((resolve) => onSignals(resolve))

/** Runs work that stops at the first SIGTERM, Ctrl-C or end of the parent; a second signal ends the process. */
export async function interruptible<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const controller = new AbortController()
  const abort = () => controller.abort(new DOMException('Stopped', 'AbortError'))
  const off = onSignals(abort)
  if (process.channel) {
    process.on('disconnect', abort)
    // The listener alone would keep a finished command running.
    process.channel.unref()
  }
  try {
    return await work(controller.signal)
  } finally {
    off()
    process.off('disconnect', abort)
  }
}
