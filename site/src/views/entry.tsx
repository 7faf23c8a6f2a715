import { effectIcons, removedText, type Entry } from '../data/entry.ts'
import { usePage } from './on-page.tsx'
import { Icon, PersonWithBadge, SubjectName, type Person, type Subject } from './parts.tsx'

export interface ShownEntry extends Omit<Entry, 'mergedInto' | 'waypointId' | 'userId'> {
  readonly about?: Subject
  /** The fountain that it was merged into. */
  readonly into?: Subject
  /** Its author, where the list has several. */
  readonly by?: Person
}

export function EntryItem({
  entry,
  isDated = true,
}: {
  readonly entry: ShownEntry
  /** Whether to show the date, or only the time of day. */
  readonly isDated?: boolean
}) {
  const page = usePage()
  const { effect, about, into, by, fields, reverts, removed, timestamp } = entry
  return (
    <li class={`entry entry-${effect}`} data-waypoint={page.hasForms ? about?.id : undefined}>
      <span class="entry-icon">
        <Icon name={effectIcons[effect]} />
      </span>
      <div class="entry-text">
        {about && <SubjectName subject={about} class="entry-name" />}
        <span class="entry-what">
          <span {...page.said(`action.${effect}`)} />
          {into && (
            <>
              {' '}
              <SubjectName subject={into} />
            </>
          )}
          {fields.map((field, index) => (
            <>
              {index === 0 ? ': ' : ', '}
              <span {...page.saidOr(`field.${field}`, field)} />
            </>
          ))}
          {[
            ...(reverts ? (['waypoint.reverts'] as const) : []),
            ...removed.map((one) => removedText[one]),
          ].map((key) => (
            <>
              {' · '}
              <span {...page.said(key)} />
            </>
          ))}
        </span>
        <span class="entry-meta">
          {isDated ? (
            <time {...page.date(timestamp)} />
          ) : (
            <time datetime={timestamp}>{page.format.time(timestamp)}</time>
          )}
          {by && (
            <>
              {' '}
              <PersonWithBadge person={by} />
            </>
          )}
        </span>
      </div>
    </li>
  )
}
