import type { ActKind } from '@openfountain/core/internal'
import { Fragment, render } from 'preact'
import { fill } from '../../messages.ts'
import { ActItem, type ShownAct } from '../../views/act.tsx'
import { onPage } from '../../views/on-page.tsx'
import { elementBy } from '../../client/element-by.ts'
import { desk, page } from '../page/config.ts'
import { wordingOf } from '../page/problem.ts'
import { read, type NamedPerson } from '../page/requests.ts'

/** The newest acts from the API, in place of those of the build. */

interface NamedWaypoint {
  readonly id: number
  readonly name: string
}

/** An act as GET /moderation/acts lists it. */
interface Act {
  readonly kind: ActKind
  readonly timestamp: string
  readonly user: NamedPerson
  readonly reason?: string
  readonly redacted?: true
  readonly entries: readonly number[]
  readonly waypoint?: NamedWaypoint
  readonly review?: { readonly waypoint: NamedWaypoint }
  readonly person?: NamedPerson
  readonly into?: NamedWaypoint
  readonly until?: string
}

interface Answer {
  readonly acts: readonly Act[]
  readonly next?: string | number
}

const list = elementBy('#acts')
const more = elementBy<HTMLButtonElement>('#acts-more')
const state = elementBy('#acts-state')
let next: Answer['next']
let shown: readonly ShownAct[] = []

const subjectOf = ({ id, name }: NamedWaypoint, isGone: boolean) => ({
  id,
  fountain: { name, amenities: [] },
  hasPage: false,
  isGone,
})

const personOf = ({ id, name }: NamedPerson) => ({ id, name })

function shownAct({ kind, user, waypoint, review, into, person, entries, redacted, ...act }: Act): ShownAct {
  const about = review?.waypoint ?? waypoint
  return {
    ...act,
    kind,
    by: personOf(user),
    entries: entries.length,
    isOfReview: review !== undefined,
    isReasonRemoved: redacted === true,
    about: about && subjectOf(about, kind === 'deleted' || kind === 'merged'),
    into: into && subjectOf(into, false),
    person: person && personOf(person),
  }
}

async function load(): Promise<void> {
  const query = new URLSearchParams({ limit: '50', ...(next !== undefined && { after: String(next) }) })
  const answer = await read<Answer>(`/moderation/acts?${query}`)
  if (next === undefined) list.replaceChildren()
  next = answer.next
  more.hidden = next === undefined
  shown = [...shown, ...answer.acts.map(shownAct)]
  render(
    onPage(
      page,
      <Fragment>
        {shown.map((act, index) => (
          <ActItem key={index} act={act} />
        ))}
      </Fragment>,
    ),
    list,
  )
}

async function showMore(): Promise<void> {
  const before = shown.length
  try {
    await load()
    // The button may be gone; the focus moves to the first new row.
    const first = list.children[before]
    if (!(first instanceof HTMLElement)) return
    first.tabIndex = -1
    first.focus()
  } catch (error) {
    state.textContent = wordingOf(error)
  }
}

async function begin(): Promise<void> {
  const asOf = state.textContent
  try {
    await load()
    elementBy('#acts-empty').hidden = shown.length > 0
    state.textContent = desk.acts.live
  } catch {
    state.textContent = fill(desk.acts.noLive, { asOf })
  }
}

more.addEventListener('click', () => void showMore())
void begin()
