import { h, render } from 'preact'
import { rememberedUser } from '../../../api/signed-in.ts'
import { onLanguage, pageAddress, siteOfPage } from '../../../api/site.ts'
import { outbox, type Queue } from '../outbox.ts'
import { wordingNow, type Wording } from '../../wording.ts'
import { needsDecision, QueueMenu } from './queue.tsx'

/** The outbox script of each page, loaded once a user is signed in or a submission is stored. */

const link = document.querySelector<HTMLElement>('#account-link')
const kept = outbox()
const holder = document.createElement('div')
/** The queue now, and as it was last shown. */
let queue: Queue | undefined
let before: Queue | undefined

interface Worker extends ServiceWorkerRegistration {
  /** Background Sync wakes the worker when there is a network, also without an open page. Some browsers lack it. */
  readonly sync?: { register(tag: string): Promise<void> }
}

/** The worker of the site. Private windows and plain http have none: the queue is sent while a page is open. */
async function registered(): Promise<Worker | undefined> {
  const { base } = siteOfPage()
  try {
    await navigator.serviceWorker.register(`${base}sw.js`, { scope: base })
    return await navigator.serviceWorker.ready
  } catch {
    return undefined
  }
}

const worker = registered()

/** The browser may refuse it. */
const askForSync = async (): Promise<void> => (await worker)?.sync?.register('outbox').catch(() => undefined)

async function show(): Promise<void> {
  const shown = queue
  if (!shown) return
  if (shown.submissions.some(({ state }) => state === 'waiting')) void askForSync()
  // Usually the store is empty, and nothing more is loaded.
  const isEmpty = shown.submissions.length + shown.others === 0
  if (!isEmpty || holder.isConnected) {
    const wording = await wordingNow()
    // Texts take a while at the first load: a later call shows the changes meanwhile.
    if (queue !== shown) return
    if (!holder.isConnected) link?.before(holder)
    const change = before ? changeText(wording, before, shown) : ''
    render(h(QueueMenu, { wording, queue: shown, change }), holder)
  }
  before = shown
}

function changeText({ words: { outbox: text }, format }: Wording, old: Queue, now: Queue): string {
  const [were, are] = [old.submissions, now.submissions]
  const decide = are.filter(needsDecision).length
  if (decide > were.filter(needsDecision).length) return format.count(text.decideNow, decide)
  if (are.length > were.length) return format.count(text.count, are.length)
  return are.length === 0 && were.length > 0 ? text.allSent : ''
}

async function begin(): Promise<void> {
  // In advance, since they may be needed offline.
  if (rememberedUser()) void wordingNow().catch(() => undefined)
  holder.className = 'outbox'
  kept.watch((now) => {
    queue = now
    void show().catch(() => undefined)
  })
  onLanguage(() => void show())
  addEventListener('offline', () => void show())
  kept.flush().catch(() => undefined)
  const active = (await worker)?.active
  // It caches these scripts, so that cached pages work offline.
  active?.postMessage('contribute', { transfer: [] })
  for (const path of [location.pathname, pageAddress('contributions/')])
    active?.postMessage({ remember: path }, { transfer: [] })
}

void begin()
