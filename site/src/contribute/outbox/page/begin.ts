import { h, render } from 'preact'
import { rememberedUser } from '../../../api/signed-in.ts'
import { onLanguage, siteOfPage } from '../../../api/site.ts'
import { outbox, type Queue } from '../outbox.ts'
import { wordingNow, type Wording } from '../../wording.ts'
import { needsDecision, QueueMenu } from './queue.tsx'

/**
 * The outbox script of each page, loaded once a user is signed in or a submission is stored: it shows the queue and
 * sends it.
 */

const link = document.querySelector<HTMLElement>('#account-link')
const kept = outbox()
const holder = document.createElement('div')
/** The queue now, and as it was last shown. */
let queue: Queue | undefined
let before: Queue | undefined

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

/** The change of a queue, in a sentence. */
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
  await keepForOffline()
}

/** Registers a background sync, which wakes the worker when there is a network, also without an open page. */
async function askForSync(): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  try {
    const registration: {
      readonly sync?: { register(tag: string): Promise<void> }
    } & ServiceWorkerRegistration = await navigator.serviceWorker.ready
    await registration.sync?.register('outbox')
  } catch {
    // Some browsers lack this; the queue is then sent while a page is open.
  }
}

/** Asks the worker to cache these scripts, so that cached pages work offline. */
async function keepForOffline(): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  const { base } = siteOfPage()
  try {
    await navigator.serviceWorker.register(`${base}sw.js`, { scope: base })
    const { active } = await navigator.serviceWorker.ready
    active?.postMessage('contribute', { transfer: [] })
    active?.postMessage({ remember: location.pathname }, { transfer: [] })
  } catch {
    // Private windows and some settings refuse workers; the queue is then sent while a page is open.
  }
}

if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', () => void begin())
else void begin()
