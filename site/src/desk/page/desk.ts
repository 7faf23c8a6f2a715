import { rememberUser, signedInUser } from '../../api/signed-in.ts'
import { siteOfPage } from '../../api/site.ts'
import { Imports } from '../imports/imports.ts'
import { deskViews, queueKinds, type DeskView, type QueueKind } from '../views.ts'
import { desk, format, elementBy } from './config.ts'
import { button, element, named, type Content } from './element.ts'
import { foundPanel, listenToFind, type SearchTarget } from './find.ts'
import { readFountain } from './fountain.ts'
import { itemPanel } from './item-panel.ts'
import { listenToKeys } from './keys.ts'
import type { Setting } from './panel.ts'
import { wordingOf } from './problem.ts'
import { readQueue, titleOf, whyOf, type QueueItem } from './queue.ts'
import { announce, showPageProblem, undoAnnounced } from './status.ts'
import { Worklist } from './worklist.ts'

/** The moderation desk: queues, a search, and the files of doubtful imports. */

const list = elementBy('#desk-list')
const detail = elementBy('#desk-detail')
const more = elementBy<HTMLButtonElement>('#desk-more')
let view: DeskView = 'reported'
let next: string | undefined
let isBusy = false
const totals = new Map<QueueKind, number>()

const queue = new Worklist<QueueItem>({
  list,
  detail,
  row: (item): readonly Content[] => [
    element('strong', '', named(titleOf(item))),
    element('span', 'faint', whyOf(item)),
  ],
  open: (item) => itemPanel(item, queueSetting),
})
const finding: Worklist<SearchTarget> = new Worklist<SearchTarget>({
  list,
  detail,
  row: () => [],
  open: (target) => foundPanel(target, settingOf(finding)),
})
const imports = new Imports(list, detail)

const worklist = (): Worklist<QueueItem> | Worklist<SearchTarget> | Imports['worklist'] =>
  view === 'find' ? finding : view === 'imports' ? imports.worklist : queue

/** The setting for acts on the open item, which stays open. */
function settingOf(work: Worklist<QueueItem> | Worklist<SearchTarget>): Setting {
  const update: Setting['update'] = (text, undo) => {
    announce(text, undo && (() => undo().then(() => work.reopen())))
    void work.reopen().then(() => work.focusDetail())
  }
  return {
    update,
    settle: update,
    again(problem, ...nodes) {
      const place = element('p', 'problem', problem ?? '')
      place.role = 'alert'
      void work.reopen([place, ...nodes]).then(() => work.focusDetail())
    },
    attempt(action) {
      if (isBusy) return
      isBusy = true
      showPageProblem('')
      action()
        .catch((error: unknown) => showPageProblem(wordingOf(error)))
        .finally(() => (isBusy = false))
    },
  }
}

const queueSetting: Setting = {
  ...settingOf(queue),
  settle(text, undo) {
    const item = queue.current
    announce(text, undo && (() => undo().then(() => showQueue())))
    if (item) void settled(item).catch((error: unknown) => showPageProblem(wordingOf(error)))
  },
}

/** Opens the next item, unless the last one is still in the queue. */
async function settled(item: QueueItem): Promise<void> {
  if (item.kind === 'unapproved' || item.kind === 'unverified') {
    const found = await readFountain(item.waypoint.id)
    const waypoint = 'waypoint' in found ? found.waypoint : undefined
    const waits = item.kind === 'unapproved' ? waypoint?.approved === false : waypoint?.verified === false
    if (waits) {
      await queue.reopen()
      return queue.focusDetail()
    }
  }
  await queue.remove()
  setTotal(item.kind, (totals.get(item.kind) ?? 1) - 1)
  if (queue.items.length > 0) return
  if (next === undefined) showEmpty()
  else await showQueue()
  elementBy('#desk-list-title').focus()
}

function setTotal(kind: QueueKind, total: number): void {
  totals.set(kind, Math.max(0, total))
  const place = elementBy(`[data-view="${kind}"] [data-count]`)
  place.textContent = format.number(totals.get(kind) ?? 0)
  place.title = format.count(desk.waiting, totals.get(kind) ?? 0)
}

function showEmpty(): void {
  list.replaceChildren()
  detail.replaceChildren(element('p', 'notice', desk.nothing))
}

/** Reads the open queue from its beginning. */
async function showQueue(): Promise<void> {
  const kind = view
  if (kind === 'find' || kind === 'imports') return
  list.ariaBusy = 'true'
  try {
    const page = await readQueue(kind)
    if (kind !== view) return
    setTotal(kind, page.total)
    next = page.next
    more.hidden = next === undefined
    if (page.items.length === 0) showEmpty()
    await queue.show(page.items)
    if (page.items.length === 0) showEmpty()
  } catch (error) {
    if (kind !== view) return
    detail.replaceChildren(button(desk.retry, () => void showQueue()))
    showPageProblem(wordingOf(error))
  } finally {
    list.ariaBusy = 'false'
  }
}

async function showMore(): Promise<void> {
  const kind = view
  if (kind === 'find' || kind === 'imports' || next === undefined) return
  try {
    const page = await readQueue(kind, { after: next })
    if (kind !== view) return
    next = page.next
    more.hidden = next === undefined
    queue.add(page.items)
  } catch (error) {
    showPageProblem(wordingOf(error))
  }
}

/** Shows the view that the address names. */
async function showView(): Promise<void> {
  const name = location.hash.slice(1)
  view = deskViews.find((one) => one === name) ?? 'reported'
  for (const one of document.querySelectorAll<HTMLElement>('[data-view]'))
    one.ariaCurrent = one.dataset['view'] === view ? 'page' : null
  elementBy('#desk-list-title').textContent = elementBy(`[data-view="${view}"] [data-label]`).textContent
  elementBy('#desk-find').hidden = view !== 'find'
  elementBy('#desk-imports').hidden = view !== 'imports'
  elementBy('#desk-work').dataset['list'] = view === 'find' ? 'none' : ''
  more.hidden = true
  next = undefined
  showPageProblem('')
  list.replaceChildren()
  detail.replaceChildren()
  if (view === 'imports') return imports.begin()
  if (view === 'find') {
    await finding.show([])
    return elementBy('#desk-find input').focus()
  }
  await showQueue()
}

/** Shows the totals of all queues, including hidden ones. */
async function showTotals(): Promise<void> {
  for (const kind of queueKinds)
    if (kind !== view) setTotal(kind, (await readQueue(kind, { limit: 1 })).total)
}

function press(key: string): void {
  if (key === 'j') void worklist().move(1)
  else if (key === 'k') void worklist().move(-1)
  else if (key === 'u') void undoAnnounced()
  else if (!isBusy)
    worklist()
      .panel?.actions.find((action) => action.key === key)
      ?.run()
}

/** Moves the focus to the start of the view; the search has focused its field. */
function focusView(): void {
  if (view !== 'find') elementBy('#desk-list-title').focus()
}

function listen(): void {
  listenToKeys(press)
  listenToFind((target) => void finding.show([target]).then(() => finding.focusDetail()))
  more.addEventListener('click', () => void showMore())
  elementBy('#desk-undo').addEventListener('click', () => void undoAnnounced())
  elementBy('#desk-reload').addEventListener('click', () => {
    announce('')
    void showView().then(() => showTotals().catch(() => undefined))
  })
  addEventListener('hashchange', () => {
    announce('')
    void showView().then(focusView)
  })
}

const steps = ['wait', 'signed-out', 'not-moderator', 'failed', 'desk'] as const
function showStep(step: (typeof steps)[number]): void {
  for (const one of steps) elementBy(`#desk-step-${one}`).hidden = one !== step
}

/** Shows the desk to moderators; to others the reason and the remedy. */
async function begin(): Promise<void> {
  showStep('wait')
  try {
    const user = await signedInUser(siteOfPage())
    rememberUser(user)
    if (user === undefined) return showStep('signed-out')
    if (!user.isModerator) return showStep('not-moderator')
  } catch (error) {
    showStep('failed')
    elementBy('#desk-failed-why').textContent = wordingOf(error)
    return
  }
  showStep('desk')
  listen()
  await showView()
  await showTotals().catch(() => undefined)
}

elementBy('#desk-retry').addEventListener('click', () => void begin())
void begin()
