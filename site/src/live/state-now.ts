import { getJson } from './asking.ts'
import { isId, readPage, record } from './entries.ts'

/**
 * Whether a fountain still exists, and its merge target. This reads the log, since browsers report a 404 as an error of
 * the page.
 */
export async function stateNow(
  api: string,
  id: number,
): Promise<{ readonly isGone: boolean; readonly mergedInto?: number | undefined }> {
  // One action may have several entries, and the last need not be the deletion: redacted text is cleared later.
  const { json } = await getJson(`${api}/logs?bubblerId=${id}&limit=100`)
  const logs = record(json)?.['logs']
  if (!Array.isArray(logs)) throw new Error('This is no history')
  const last = logs
    .map((one) => record(one) ?? {})
    .find(({ action }) => action === 'deleted' || action === 'created')
  if (last === undefined || last['action'] !== 'deleted') return { isGone: logs.length === 0 }
  return { isGone: true, mergedInto: await mergeOf(api, last['id']) }
}

/** The merge target of an entry that deleted a fountain; only the whole log has it. */
export async function mergeOf(
  api: string,
  entry: unknown,
  signal?: AbortSignal,
): Promise<number | undefined> {
  if (!isId(entry)) throw new Error('This is no entry of the history')
  const { json } = await getJson(`${api}/changes?after=${entry - 1}&limit=1`, signal)
  return readPage(json, entry - 1).entries[0]?.mergedInto
}
