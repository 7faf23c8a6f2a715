import { flush } from '../contribute/outbox/flushing.ts'
import { openStore, outboxName } from '../contribute/outbox/store.ts'

/** Background Sync: an event when there is a network, also without an open page. */
interface SyncScope {
  readonly navigator: { readonly language: string }
  addEventListener(type: 'sync', listener: (event: SyncEvent) => void): void
}

interface SyncEvent {
  readonly tag: string
  waitUntil(work: Promise<unknown>): void
}

/** Sends the submissions of the outbox when there is a network. */
export function sendInBackground(site: { readonly api: string; readonly base: string }): void {
  const scope = globalThis as unknown as SyncScope
  const store = openStore(site.base)
  const channel = new BroadcastChannel(outboxName(site.base))
  const announce = channel.postMessage.bind(channel)
  const send = async (): Promise<void> => {
    const { state } = await flush({
      site: { ...site, tag: scope.navigator.language },
      store,
      changed: () => announce('changed'),
    })
    // The browser tries again later.
    if (state === 'later') throw new Error('There is still no network')
  }
  scope.addEventListener('sync', (event) => {
    if (event.tag === 'outbox') event.waitUntil(send())
  })
}
