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
  const onEvent = (type: string, act: (layer: MapLayer, detail: unknown) => void): void =>
    document.addEventListener(type, (event) => {
      if (event instanceof CustomEvent) attempt(withLayer((loaded) => act(loaded, event.detail)))
    })
  onEvent('openfountain:waypoint', (loaded, detail) => loaded.take(detail))
  onEvent('openfountain:status', (loaded, detail) => loaded.takeStatus(detail))
  // The outbox may have announced its queue before these listeners existed.
  document.dispatchEvent(new CustomEvent('openfountain:live'))
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
