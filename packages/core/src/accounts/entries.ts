import type { StoredEntry } from '../log/entry.ts'
import type { Reads } from '../store/reads.ts'

const pageSize = 500

/** A place in the order of the entries by one user: by subject, action and id. */
interface EntryPlace {
  readonly subject: string
  readonly action: string
  readonly id: number
}

type Entries = Reads['entries']

/** All entries by a user, page by page. */
export async function* entriesBy(entries: Entries, userId: string): AsyncGenerator<readonly StoredEntry[]> {
  for (let after: EntryPlace = { subject: '', action: '', id: 0 }; ;) {
    const page = await entries.by(userId, after, pageSize)
    yield page
    const last = page.at(-1)
    if (last === undefined || page.length < pageSize) return
    after = last
  }
}

/** What others did about a user, such as a block, page by page. */
export async function* entriesAbout(
  entries: Entries,
  userId: string,
): AsyncGenerator<readonly StoredEntry[]> {
  for (let after = 0; ;) {
    const page = await entries.aboutUser(userId, after, pageSize)
    yield page.filter(({ by }) => by !== userId)
    const last = page.at(-1)
    if (last === undefined || page.length < pageSize) return
    after = last.id
  }
}
