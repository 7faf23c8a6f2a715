import type { ModerationAct } from '@openfountain/core'
import { render } from 'preact'
import { request } from '../../api/request.ts'
import { fill } from '../../messages.ts'
import { ActItem, type ShownAct } from '../../views/act.tsx'
import { onPage } from '../../views/on-page.tsx'
import { elementBy } from '../../client/element-by.ts'
import { desk, page, wordingOf } from '../page/config.ts'

/** The newest acts from the API, in place of those of the build. */

interface Answer {
  readonly acts: readonly ModerationAct[]
  readonly next?: string | number
}

const list = elementBy('#acts')
const more = elementBy<HTMLButtonElement>('#acts-more')
const state = elementBy('#acts-state')
const asOf = state.textContent
let next: Answer['next']
let shown: readonly ShownAct[] = []

function shownAct({ user, waypoint, review, into, entries, redacted, ...act }: ModerationAct): ShownAct {
  const subject = ({ id, name }: NonNullable<typeof waypoint>) => ({
    id,
    fountain: { name, amenities: [] },
    hasPage: false,
  })
  const about = review?.waypoint ?? waypoint
  const isGone = act.kind === 'deleted' || act.kind === 'merged'
  return {
    ...act,
    by: user,
    entries: entries.length,
    isOfReview: review !== undefined,
    isReasonRemoved: redacted === true,
    about: about && { ...subject(about), isGone },
    into: into && subject(into),
  }
}

/** Shows the next page of acts. @throws Refusal */
async function load(): Promise<void> {
  const query = new URLSearchParams({ limit: '50', ...(next !== undefined && { after: String(next) }) })
  const answer = await request<Answer>('GET', `/moderation/acts?${query}`)
  if (next === undefined) list.replaceChildren()
  next = answer.next
  more.hidden = next === undefined
  shown = [...shown, ...answer.acts.map(shownAct)]
  const items = shown.map((act, index) => <ActItem key={index} act={act} />)
  render(onPage(page, items), list)
  elementBy('#acts-empty').hidden = shown.length > 0
  state.textContent = desk.acts.live
}

async function showMore(): Promise<void> {
  const before = shown.length
  await load()
  // The button may be gone; the focus moves to the first new row.
  const first = list.children[before]
  if (!(first instanceof HTMLElement)) return
  first.tabIndex = -1
  first.focus()
}

more.addEventListener('click', () => {
  showMore().catch((error: unknown) => (state.textContent = wordingOf(error)))
})
load().catch(() => (state.textContent = fill(desk.acts.noLive, { asOf })))
