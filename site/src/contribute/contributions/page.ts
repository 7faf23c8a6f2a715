import type { OwnUser } from '@openfountain/core'
import { rememberUser, signedInUser } from '../../api/signed-in.ts'
import { siteOfPage } from '../../api/site.ts'
import { kinds } from '../../map/card/icons.ts'
import { element } from '../../map/card/markup.ts'
import { fill } from '../../messages.ts'
import { shownName } from '../../naming.ts'
import type { Submission } from '../outbox/submission.ts'
import { outbox } from '../outbox/outbox.ts'
import { panelContent } from '../outbox/page/panel.ts'
import { wordingOf } from '../outbox/page/setting.ts'
import type { Wording } from '../outbox/words.ts'
import type { ContributionsConfig } from './config.ts'
import { History, type Contribution } from './history.ts'
import { levelProgress } from './level.ts'

/** The page of the user's own contributions: the queue, the level, the history. */

const part = (id: string): HTMLElement => {
  const found = document.getElementById(id)
  if (found === null) throw new Error(`The page has no #${id}`)
  return found
}

const config: ContributionsConfig = JSON.parse(part('contributions-config').textContent)
const kept = outbox()

async function showWaiting(wording: Wording, submissions: readonly Submission[]): Promise<void> {
  const others = await kept.others()
  const [section, place] = [part('waiting'), part('waiting-list')]
  const hadFocus = place.contains(document.activeElement)
  section.hidden = submissions.length + others === 0
  place.replaceChildren(...panelContent({ wording, submissions, others }))
  if (hadFocus) part(section.hidden ? 'contributions-title' : 'waiting-title').focus()
}

function showStanding({ words: { outbox: text }, format }: Wording, { xp }: OwnUser): void {
  const words = text.contributions
  const { level, nextAt, progress } = levelProgress(xp, config.rules)
  part('level-title').textContent = fill(words.level, { level: format.number(level) })
  part('level-xp').textContent = [
    fill(words.xp, { xp: format.number(xp) }),
    fill(words.next, { xp: format.number(nextAt - xp), level: format.number(level + 1) }),
  ].join(' · ')
  const bar = part('level-bar')
  if (bar instanceof HTMLProgressElement) bar.value = progress
  for (const row of document.querySelectorAll<HTMLElement>('[data-gate]')) {
    const missing = Number(row.dataset['gate']) - xp
    row.textContent = missing > 0 ? fill(words.needs, { xp: format.number(missing) }) : words.can
    row.dataset['open'] = String(missing <= 0)
  }
  part('level').hidden = false
}

function rowOf({ words, format }: Wording, { what, fields, at, fountain }: Contribution): HTMLElement {
  const { contributions } = words.outbox
  const names: Readonly<Record<string, string>> = words.field
  const changed = fields.map((name) => (Object.hasOwn(names, name) ? names[name] : name)).join(', ')
  const action = what === 'reviewed' ? contributions.reviewed : words.action[what]
  const amenities: Readonly<Record<string, string>> = words.amenity
  const called = shownName(fountain, kinds, {
    unnamed: words.unnamed,
    amenity: (key) => amenities[key] ?? key,
  })
  const name = element('bdi', {}, called)
  const isGone = fountain.now === 'gone' || fountain.now === 'merged'
  return element(
    'li',
    { class: 'outbox-row' },
    element(
      'div',
      { class: 'outbox-text' },
      isGone
        ? element('strong', {}, name)
        : element('a', { class: 'outbox-name', href: `${config.fountain}${fountain.id}` }, name),
      element('span', {}, changed === '' ? action : fill(words.labelled, { label: action, text: changed })),
      element('time', { class: 'faint', datetime: at }, format.date(at)),
    ),
    element('span', { class: 'outbox-badge', 'data-now': fountain.now }, contributions.now[fountain.now]),
  )
}

async function showHistory(wording: Wording, { id }: OwnUser): Promise<void> {
  const history = new History(siteOfPage(), id)
  const [list, more] = [part('sent-list'), part('more')]
  const show = async (): Promise<HTMLElement | undefined> => {
    const rows = (await history.next()).map((one) => rowOf(wording, one))
    list.append(...rows)
    more.hidden = !history.hasMore
    return rows[0]
  }
  more.addEventListener('click', () => {
    if (more.ariaBusy === 'true') return
    more.ariaBusy = 'true'
    show()
      .then(
        // The button may be gone: the focus moves to the first new row.
        (first) => first?.querySelector<HTMLElement>('a')?.focus(),
        () => part('failed').removeAttribute('hidden'),
      )
      .finally(() => (more.ariaBusy = 'false'))
  })
  await show()
  part('none').hidden = list.childElementCount > 0
  part('sent').hidden = false
}

async function begin(): Promise<void> {
  const site = siteOfPage()
  const wording = await wordingOf(site.tag)
  kept.watch((submissions) => void showWaiting(wording, submissions))
  try {
    const user = await signedInUser(site)
    if (user === undefined) {
      part('signed-out').hidden = false
      return
    }
    rememberUser({ id: user.id, name: user.name })
    showStanding(wording, user)
    await showHistory(wording, user)
  } catch {
    part('failed').hidden = false
  }
}

await begin()
part('loading').hidden = true
