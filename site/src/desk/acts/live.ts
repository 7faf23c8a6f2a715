import type { ActKind } from '@openfountain/core/internal'
import { fill } from '../../messages.ts'
import { config, desk, format, elementBy, words } from '../page/config.ts'
import { element, link, named, type Content } from '../page/element.ts'
import { fountainName } from '../page/naming.ts'
import { personName, type NamedPerson } from '../page/people.ts'
import { wordingOf } from '../page/problem.ts'
import { read } from '../page/send.ts'
import { actReason, actTitle, isAboutPerson, type Place, type ShownAct } from './shown.ts'

/** The newest acts from the API, above those of the build. */

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

interface Page {
  readonly acts: readonly Act[]
  readonly next?: string | number
}

const list = elementBy('#acts')
const more = elementBy<HTMLButtonElement>('#acts-more')
const state = elementBy('#acts-state')
let next: Page['next']

const placeOf = ({ id, name }: NamedWaypoint, isThere: boolean): Place => ({
  name: fountainName({ name }),
  ...(isThere && { href: `${config.pages.home}?fountain=${id}` }),
})

function shown({ kind, user, waypoint, review, into, person, entries, redacted, ...act }: Act): ShownAct {
  const about = review?.waypoint ?? waypoint
  return {
    ...act,
    kind,
    by: personName(user),
    entries: entries.length,
    isOfReview: review !== undefined,
    isReasonRemoved: redacted === true,
    ...(about && { about: placeOf(about, kind !== 'deleted' && kind !== 'merged') }),
    ...(into && { into: placeOf(into, true) }),
    ...(person && { person: personName(person) }),
  }
}

const placed = ({ name, href }: Place): Content =>
  href === undefined ? named(name) : link(href, named(name))

function rowOf(act: ShownAct): HTMLElement {
  const { about, into, person, by, timestamp, entries, isOfReview } = act
  const isPersonal = isAboutPerson(act)
  const text = element('div', 'entry-text')
  const what = element('span', 'entry-what', element('strong', '', actTitle(act, words, format)))
  if (into) what.append(' ', placed(into))
  text.append(what)
  if (isPersonal) text.append(element('span', 'entry-name', named(person ?? '')))
  else if (about)
    text.append(element('span', 'entry-name', isOfReview ? `${desk.acts.reviewOf} ` : '', placed(about)))
  const reason = actReason(act, words, format)
  if (reason !== undefined) text.append(element('span', 'act-reason', reason))
  const time = element('time', '', format.date(timestamp))
  time.dateTime = timestamp
  const meta = element('span', 'entry-meta', time, ' ', named(by))
  if (!isPersonal && person !== undefined) meta.append(' ', named(`(${person})`))
  if (entries > 1) meta.append(' ', format.count(desk.acts.entries, entries))
  text.append(meta)
  return element('li', 'act', text)
}

async function load(): Promise<readonly HTMLElement[]> {
  const query = new URLSearchParams({ limit: '50', ...(next !== undefined && { after: String(next) }) })
  const page = await read<Page>(`/moderation/acts?${query}`)
  next = page.next
  more.hidden = next === undefined
  return page.acts.map((act) => rowOf(shown(act)))
}

async function showMore(): Promise<void> {
  try {
    const rows = await load()
    list.append(...rows)
    // The button may be gone; the focus moves to the first new row.
    const [first] = rows
    if (first === undefined) return
    first.tabIndex = -1
    first.focus()
  } catch (error) {
    state.textContent = wordingOf(error)
  }
}

async function begin(): Promise<void> {
  const asOf = state.textContent
  try {
    const rows = await load()
    list.replaceChildren(...rows)
    elementBy('#acts-empty').hidden = rows.length > 0
    state.textContent = desk.acts.live
  } catch {
    state.textContent = fill(desk.acts.noLive, { asOf })
  }
}

more.addEventListener('click', () => void showMore())
void begin()
