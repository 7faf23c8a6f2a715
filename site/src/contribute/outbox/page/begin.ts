import { rememberedUser } from '../../../api/signed-in.ts'
import { siteOfPage } from '../../../api/site.ts'
import { addStyle } from '../../../client/add-style.ts'
import style from '../../../styles/outbox.css?url'
import type { Submission } from '../submission.ts'
import { outbox } from '../outbox.ts'
import { resolveConflict } from './conflict-dialog.tsx'
import { MapEvents } from './map-events.ts'
import { HeaderPanel } from './panel.tsx'
import { onLanguage, wordingOf } from './setting.ts'
import { needsDecision } from './wording.ts'
import type { Wording } from '../words.ts'

/**
 * The outbox script of each page, loaded once a user is signed in or a submission is stored: it shows the queue and
 * sends it.
 */

declare global {
  interface DocumentEventMap {
    /** A submission of this page met a conflict. */
    'openfountain:conflict': CustomEvent<{ readonly key: string }>
    /** The map asks for the queue. */
    'openfountain:live': CustomEvent
  }
}

const link = document.querySelector<HTMLElement>('#account-link')
const kept = outbox()
const events = new MapEvents()
let panel: HeaderPanel | undefined
let wording: Promise<Wording> | undefined
let before: readonly Submission[] | undefined

/** The texts of the page's language; after a failure they are loaded again the next time. */
function loadedWording(): Promise<Wording> {
  wording ??= wordingOf(siteOfPage().tag).catch((error: unknown) => {
    wording = undefined
    throw error
  })
  return wording
}

let shown = 0

async function show(submissions: readonly Submission[]): Promise<void> {
  const turn = (shown += 1)
  const others = await kept.others()
  void events.show(submissions)
  if (submissions.some(({ state }) => state === 'waiting')) void askForSync()
  // Usually the store is empty, and nothing more is loaded.
  if (submissions.length + others === 0 && panel === undefined) {
    before = submissions
    return
  }
  const given = await loadedWording()
  if (panel === undefined && link) {
    await addStyle(style)
    panel ??= new HeaderPanel(link)
  }
  // Texts and style take a while at the first load: a later call shows the changes meanwhile.
  if (turn !== shown) return
  panel?.show({ wording: given, submissions, others })
  if (before) panel?.say(changesText(given, before, submissions))
  before = submissions
}

/** The changes since the last call, in a sentence. */
function changesText(
  { words: { outbox: text }, format }: Wording,
  old: readonly Submission[],
  submissions: readonly Submission[],
): string {
  const decide = submissions.filter(needsDecision).length
  if (decide > old.filter(needsDecision).length) return format.count(text.decideNow, decide)
  if (submissions.length > old.length) return format.count(text.count, submissions.length)
  return submissions.length === 0 && old.length > 0 ? text.allSent : ''
}

const send = (): void => void kept.flush().catch(() => undefined)

async function begin(): Promise<void> {
  // In advance, since they may be needed offline.
  if (rememberedUser()) void Promise.all([loadedWording(), addStyle(style)]).catch(() => undefined)
  kept.watch((submissions) => void show(submissions).catch(() => undefined))
  onLanguage(() => {
    wording = undefined
    void kept.list().then(show)
  })
  document.addEventListener('openfountain:conflict', ({ detail: { key } }) => {
    void Promise.all([loadedWording(), addStyle(style)]).then(([given]) => resolveConflict(given, key))
  })
  document.addEventListener('openfountain:live', () => events.repeat())
  addEventListener('online', send)
  addEventListener('offline', () => void kept.list().then(show))
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') send()
  })
  send()
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
