import { EntryItem, type ShownEntry } from './entry.tsx'
import { usePage } from './on-page.tsx'

export function Day({ day, entries }: { readonly day: string; readonly entries: readonly ShownEntry[] }) {
  const page = usePage()
  return (
    <section class="stack-4 day">
      <h2>
        <time datetime={day}>{page.format.date(day)}</time>
      </h2>
      <ol>
        {entries.map((entry) => (
          <EntryItem key={entry.id} entry={entry} isDated={false} />
        ))}
      </ol>
    </section>
  )
}
