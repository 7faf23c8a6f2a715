import { siteOfPage } from '../api/site.ts'
import type { FountainData } from '../views/fountain.tsx'
import type { ChangesList } from './changes-list.tsx'
import { followFountain } from './fountain-page.ts'
import { LogReader } from './log.ts'
import { poll } from './polling.ts'
import type { RegionList } from './region-list.tsx'

export { stateNow } from './answers.ts'

/** Follows the log for the list of a page. The code that shows changes is loaded with the first of them. */
function followList(place: HTMLElement): void {
  const { liveList, liveHead = '' } = place.dataset
  const [id, hash = ''] = liveHead.split(' ')
  let list: ChangesList | RegionList | undefined
  const load = async (): Promise<ChangesList | RegionList> =>
    liveList === 'region'
      ? new (await import('./region-list.tsx')).RegionList(place)
      : new (await import('./changes-list.tsx')).ChangesList(place)
  const log = new LogReader({
    api: siteOfPage().api,
    head: { id: Number(id), hash },
    async onEntries(entries, signal) {
      list ??= await load()
      await list.take(entries, signal)
    },
    // After too many entries, new ones are still shown on top of the built list.
    onAnother: () => location.reload(),
  })
  poll((signal) => log.read(signal))
}

const list = document.querySelector<HTMLElement>('[data-live-list]')
if (list) followList(list)
const fountain = document.querySelector<HTMLElement>('#fountain')
const data = document.querySelector('#fountain-data')?.textContent
if (fountain && data) followFountain(fountain, JSON.parse(data) as FountainData)
