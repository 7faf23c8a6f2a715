import { fieldsOfAuthor, redactEntry } from '../decide/redaction.ts'
import type { StoredEntry } from '../log/entry.ts'
import type { Store } from '../store/port.ts'
import { entriesBy } from './entries.ts'

/** The reason of a redaction that its author asked for; it is public. */
const authorLeft = 'its author left and asked for it'

/**
 * Redacts the texts of somebody who leaves, except names of fountains.
 *
 * @param which the ids of entries, or all entries by the user
 * @returns the entries that lost text
 *
 * @internal
 */
export async function eraseTexts(
  store: Store,
  userId: string,
  which: 'written as them' | readonly number[],
): Promise<number[]> {
  const { entries } = store.read
  const pages = which === 'written as them' ? entriesBy(entries, userId) : [await all(entries, which)]
  const lost: number[] = []
  for await (const page of pages) {
    const jobs = page.flatMap((entry) => {
      const request = { id: entry.id, fields: fieldsOfAuthor(entry), reason: authorLeft }
      const job = { decide: () => redactEntry(request, { isRepeatable: true }) }
      return request.fields.length === 0 ? [] : [job]
    })
    for (const outcome of await store.writeBatch(jobs)) {
      if (!outcome.ok) throw outcome.error
      lost.push(...outcome.answer.entries)
    }
  }
  return lost
}

async function all(entries: Store['read']['entries'], ids: readonly number[]): Promise<StoredEntry[]> {
  const found = await Promise.all(ids.map((id) => entries.get(id)))
  return found.filter((entry) => entry !== undefined)
}
