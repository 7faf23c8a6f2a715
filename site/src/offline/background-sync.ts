import { flush } from '../contribute/outbox/flushing.ts'
import { openStore, outboxName } from '../contribute/outbox/store.ts'
import { scope } from './scope.ts'

export function sendInBackground(site: { readonly api: string; readonly base: string }): void {
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
