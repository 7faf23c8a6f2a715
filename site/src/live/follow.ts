import { announce } from '../client/announce.ts'
import type { MapPage } from '../map/page/map-page.tsx'
import type { Search } from '../search/search.ts'
import { ask, record, type Answer } from './asking.ts'
import { LogReader } from './log.ts'
import type { MapLayer } from './map-layer.ts'
import { poll } from './polling.ts'

/** The status of a fountain whose observations have expired. */
const expired = { state: 'unconfirmed', supporters: 0 }

/** Follows the log while a map is open; the code that draws changes is loaded with the first one. */
export function followChanges(page: MapPage, search?: Search): void {
  const { live, dataTime } = page.config
  if (!import.meta.env.WITH_API || !live) return
  const { api } = live
  let layer: Promise<MapLayer> | undefined
  const withLayer = async (act: (layer: MapLayer) => void | Promise<void>): Promise<void> => {
    layer ??= import('./map-layer.ts').then((loaded) => new loaded.MapLayer(page, api, search))
    try {
      await act(await layer)
    } catch (error) {
      layer = undefined
      throw error
    }
  }
  /** After a failure the map stays as it is, until the next change or until there is a network. */
  const attempt = (work: Promise<void>): void => void work.catch(() => undefined)
  const show = (act: (layer: MapLayer) => void | Promise<void>): void => attempt(withLayer(act))
  document.addEventListener('openfountain:waypoint', ({ detail }) => show((loaded) => loaded.take(detail)))
  document.addEventListener('openfountain:status', ({ detail }) =>
    show((loaded) => loaded.takeStatus(detail)),
  )
  announce('openfountain:live')
  let statuses: Answer = {}
  /** Shows passers-by's observations since the build; the log lacks them. */
  const showStatuses = async (): Promise<void> => {
    const { answer } = await ask(`${api}/status.json?seenSince=${dataTime.slice(0, 10)}`)
    const before = Object.keys(statuses).map((id) => [id, expired])
    statuses = { ...Object.fromEntries(before), ...record(answer['states']) }
    const found = Object.entries(statuses)
    if (found.length > 0)
      await withLayer((loaded) => {
        for (const [id, status] of found) loaded.takeStatus({ id: Number(id), status })
      })
  }
  const log = new LogReader({
    ...live,
    onUnlogged: () => attempt(showStatuses()),
    onEntries: (entries) => withLayer((loaded) => loaded.fold(entries)),
    onTooMany() {
      const date = page.words.format.date(dataTime)
      page.toast.show(page.words.text('live.outdated', { date }), 15)
    },
    onAnother: () => show((loaded) => loaded.forget()),
  })
  if (!navigator.onLine) show((loaded) => loaded.restoreKept())
  document.addEventListener('openfountain:kept', () => void layer?.then((loaded) => loaded.keep()))
  // Embedded maps have no search, and visitors do not contribute there.
  poll((signal) => log.read(signal), search !== undefined)
}
