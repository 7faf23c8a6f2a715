import { EntryItem, type ShownEntry } from './entry.tsx'
import type { Page } from './page.ts'

/** The changes of a day, newest first. */
export function Day({
  page,
  day,
  entries,
}: {
  readonly page: Page
  readonly day: string
  readonly entries: readonly ShownEntry[]
}) {
  return (
    <section class="day">
      <h2>
        <time datetime={day}>{page.format.date(day)}</time>
      </h2>
      <ol class="timeline">
        {entries.map((entry) => (
          <EntryItem key={entry.id} page={page} entry={entry} isDated={false} />
        ))}
      </ol>
    </section>
  )
}
