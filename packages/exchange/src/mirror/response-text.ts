/**
 * The text of a response, read piece by piece, so that reading stops where it becomes too large, whatever it is
 * compressed to.
 *
 * @param signal stops reading
 * @param count called with the bytes so far and those of the newest piece, after decompression; throws to stop reading
 */
export async function textOf(
  response: Response,
  signal: AbortSignal,
  count: (bytes: number, added: number) => void,
): Promise<string> {
  if (!response.body) return ''
  const reader = response.body.getReader()
  const stop = (): void => void reader.cancel(signal.reason).catch(() => undefined)
  signal.addEventListener('abort', stop, { once: true })
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      bytes += next.value.length
      count(bytes, next.value.length)
      text += decoder.decode(next.value, { stream: true })
    }
    // A body that is cancelled ends like one that is complete.
    signal.throwIfAborted()
    return text + decoder.decode()
  } catch (error) {
    stop()
    throw error
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
