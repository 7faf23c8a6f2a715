import { flush } from '../contribute/outbox/flushing.ts'
import { openStore, outboxName } from '../contribute/outbox/store.ts'
import './worker.ts'

/** Put in when the worker is bundled. */
declare const SITE_API: string
declare const SITE_BASE: string

/** Background Sync: an event when there is a network, also without an open page. */
interface SyncScope {
  readonly navigator: { readonly language: string }
  addEventListener(type: 'sync', listener: (event: SyncEvent) => void): void
}

interface SyncEvent {
  readonly tag: string
  waitUntil(work: Promise<unknown>): void
}

const scope = globalThis as unknown as SyncScope
const store = openStore(SITE_BASE)
const channel = new BroadcastChannel(outboxName(SITE_BASE))
const announce = channel.postMessage.bind(channel)

async function sendWaiting(): Promise<void> {
  const { state } = await flush({
    site: { api: SITE_API, base: SITE_BASE, tag: scope.navigator.language },
    store,
    changed: () => announce('changed'),
  })
  // The browser tries again later.
  if (state === 'later') throw new Error('There is still no network')
}

scope.addEventListener('sync', (event) => {
  if (event.tag === 'outbox') event.waitUntil(sendWaiting())
})
