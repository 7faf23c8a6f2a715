import type { ActKind } from '@openfountain/core/internal'
import type { ComponentChildren } from 'preact'
import { usePage } from './on-page.tsx'
import type { Page } from './page.ts'
import { SubjectName, type Person, type Subject } from './parts.tsx'

export interface ShownAct {
  readonly kind: ActKind
  readonly timestamp: string
  /** Who did it. */
  readonly by: Person
  readonly about?: Subject
  readonly into?: Subject
  readonly part?: 'review' | 'photo'
  /** The person who was blocked, or whose changes were reverted or redacted. */
  readonly person?: Person
  readonly entries: number
  readonly reason?: string
  readonly isReasonRemoved: boolean
  readonly until?: string
}

export function ActItem({ act }: { readonly act: ShownAct }) {
  const page = usePage()
  const { about, into, by, person, timestamp, entries, part } = act
  const reason = reasonOf(page, act)
  const isPersonal = isAboutPerson(act)
  return (
    <li class="item act">
      <div class="entry-text">
        <span class="entry-what">
          <strong>{titleOf(page, act)}</strong> {into && <SubjectName subject={into} />}
        </span>
        {isPersonal && person ? (
          <span class="entry-name">
            <bdi>{nameOf(page, person)}</bdi>
          </span>
        ) : (
          about && (
            <span class="entry-name">
              {part && `${page.text(`desk.acts.${part}Of`)} `}
              <SubjectName subject={about} />
            </span>
          )
        )}
        {reason !== undefined && <span class="quiet">{reason}</span>}
        <span class="entry-meta">
          <time datetime={timestamp}>{page.format.date(timestamp)}</time> <bdi>{nameOf(page, by)}</bdi>{' '}
          {!isPersonal && person && <bdi>({nameOf(page, person)})</bdi>}{' '}
          {entries > 1 && page.plural('desk.acts.entries', entries)}
        </span>
      </div>
    </li>
  )
}

const nameOf = (page: Page, { id, name }: Person): string =>
  name ?? page.text(id === 'api' ? 'contributors.system' : 'contributors.former')

export function titleOf(page: Page, { kind, until }: ShownAct): string {
  switch (kind) {
    case 'blocked':
      return until === undefined
        ? page.text('desk.acts.blocked')
        : page.text('desk.acts.blockedUntil', { date: page.format.date(until) })
    case 'unblocked':
    case 'redacted':
    case 'reverted':
      return page.text(`desk.acts.${kind}`)
    default:
      return page.text(`action.${kind}`)
  }
}

function reasonOf(page: Page, { kind, reason, isReasonRemoved }: ShownAct): ComponentChildren {
  if (reason !== undefined) {
    const [before, after] = page.text('desk.acts.reason').split('{reason}')
    return (
      <>
        {before}
        <bdi lang="">{reason}</bdi>
        {after}
      </>
    )
  }
  if (isReasonRemoved) return page.text('desk.acts.reasonRemoved')
  return ['reverted', 'merged', 'restored', 'blocked'].includes(kind)
    ? page.text('desk.acts.noReason')
    : undefined
}

/** Whether an act is about a person; several reverted changes of one person are. */
const isAboutPerson = ({ kind, entries, person }: ShownAct): boolean =>
  person !== undefined && (kind === 'blocked' || kind === 'unblocked' || (kind === 'reverted' && entries > 1))
