import { announce } from '../client/announce.ts'
import type { LiveConfig } from '../map/data/config.ts'
import type { MapPage } from '../map/page/map-page.ts'
import type { Search } from '../search/search.ts'
import { LogReader } from './log.ts'
import type { MapLayer } from './map-layer.ts'
import { poll } from './polling.ts'
import { statusReader } from './answers.ts'

/** Follows the log while the page is open. The code that draws changes is loaded with the first of them. */
export function begin(page: MapPage, config: LiveConfig, search?: Search): void {
  let layer: Promise<MapLayer> | undefined
  const withLayer = async (act: (layer: MapLayer) => void): Promise<void> => {
    layer ??= import('./map-layer.ts').then((loaded) => new loaded.MapLayer(page, config.api, search))
    try {
      act(await layer)
    } catch (error) {
      layer = undefined
      throw error
    }
  }
  /** After a failure the built page stays, until the next change or until there is a network. */
  const attempt = (work: Promise<void>): void => void work.catch(() => undefined)
  document.addEventListener('openfountain:waypoint', ({ detail }) =>
    attempt(withLayer((loaded) => loaded.take(detail))),
  )
  document.addEventListener('openfountain:status', ({ detail }) =>
    attempt(withLayer((loaded) => loaded.takeStatus(detail))),
  )
  announce('openfountain:live')
  const readStatuses = statusReader(config.api, page.config.dataTime)
  const showStatuses = async (): Promise<void> => {
    for (const [id, status] of await readStatuses())
      await withLayer((loaded) => loaded.takeStatus({ id, status }))
  }
  const log = new LogReader({
    ...config,
    onUnlogged: () => attempt(showStatuses()),
    onEntries: (entries) => withLayer((loaded) => loaded.fold(entries)),
    onTooMany() {
      const date = page.words.format.date(page.config.dataTime)
      page.toast.show(page.words.text('live.outdated', { date }), 15)
    },
    onAnother: () => attempt(withLayer((loaded) => loaded.forget())),
  })
  if (!navigator.onLine) attempt(withLayer((loaded) => attempt(loaded.restoreKept())))
  document.addEventListener('openfountain:kept', () => void layer?.then((loaded) => loaded.keep()))
  // Embedded maps have no search, and visitors do not contribute there.
  poll((signal) => log.read(signal), search !== undefined)
}
