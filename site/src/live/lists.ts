import { siteOfPage } from '../api/site.ts'
import type { LiveEntry } from './entries.ts'
import { LogReader } from './log-reader.ts'
import { poll } from './polling.ts'

/** Shows changes since the build on a list. The same entries may come twice. */
export interface LiveList {
  /** @throws when a needed file cannot be read; the entries are then delivered again */
  take(entries: readonly LiveEntry[], signal: AbortSignal): Promise<void>
}

/** Follows the log for the list of a page. The code that shows changes is loaded with the first of them. */
function follow(list: HTMLElement): void {
  const { api } = siteOfPage()
  const { liveList, liveHead = '' } = list.dataset
  const [id, hash = ''] = liveHead.split(' ')
  let shown: Promise<LiveList> | undefined
  const load = async (): Promise<LiveList> =>
    liveList === 'region'
      ? new (await import('./region-list.tsx')).RegionList(list)
      : new (await import('./changes-list.tsx')).ChangesList(list)
  const log = new LogReader({
    api,
    head: { id: Number(id), hash },
    async onEntries(entries, signal) {
      shown ??= load()
      shown.catch(() => (shown = undefined))
      await (await shown).take(entries, signal)
    },
    // After too many entries, new ones are still shown on top of the built list.
    onAnother: () => location.reload(),
  })
  poll((signal) => log.read(signal))
}

const list = document.querySelector<HTMLElement>('[data-live-list]')
if (list) follow(list)
