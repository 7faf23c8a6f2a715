import type { StoredEntry } from '../log/entry.ts'
import { pagesOf } from '../paged.ts'
import type { Reads } from '../store/reads.ts'

const pageSize = 500

type Entries = Reads['entries']

/** All entries by a user, page by page, by subject, action and id. */
export const entriesBy = (entries: Entries, userId: string): AsyncGenerator<readonly StoredEntry[]> =>
  pagesOf(pageSize, (last) => entries.by(userId, last ?? { subject: '', action: '', id: 0 }, pageSize))

/** The acts of others about a user, such as a block, page by page. */
export async function* entriesAbout(
  entries: Entries,
  userId: string,
): AsyncGenerator<readonly StoredEntry[]> {
  const pages = pagesOf<StoredEntry>(pageSize, (last) => entries.aboutUser(userId, last?.id ?? 0, pageSize))
  for await (const page of pages) yield page.filter(({ by }) => by !== userId)
}
