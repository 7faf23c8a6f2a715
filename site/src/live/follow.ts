import type { LiveConfig } from '../map/data/config.ts'
import type { MapPage } from '../map/page/map-page.ts'
import type { Search } from '../search/search.ts'
import { LogReader } from './log-reader.ts'
import type { MapLayer } from './map-layer.ts'
import { poll } from './polling.ts'
import { StatusReader } from './statuses.ts'

/** The exports of this script for the page that loads it. */
export interface LiveModule {
  begin(page: MapPage, config: LiveConfig, search?: Search): void
}

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
  document.addEventListener('openfountain:waypoint', (event) => {
    if (!(event instanceof CustomEvent)) return
    withLayer((loaded) => loaded.take(event.detail)).catch(() => {
      // Once there is a network again, the log has it as well.
    })
  })
  document.addEventListener('openfountain:status', (event) => {
    if (!(event instanceof CustomEvent)) return
    withLayer((loaded) => loaded.takeStatus(event.detail)).catch(() => {
      // The fountain's own page shows it.
    })
  })
  // The outbox may have announced its queue before this listener existed.
  document.dispatchEvent(new CustomEvent('openfountain:live'))
  const seen = new StatusReader(config.api, page.config.dataTime)
  const showSeen = async (): Promise<void> => {
    const statuses = await seen.read()
    if (statuses.size === 0) return
    await withLayer((loaded) => {
      for (const [id, status] of statuses) loaded.takeStatus({ id, status })
    })
  }
  const log = new LogReader({
    ...config,
    onUnlogged: () =>
      void showSeen().catch(() => {
        // It then stays as built, until the next change.
      }),
    onEntries: (entries) => withLayer((loaded) => loaded.fold(entries)),
    onTooMany() {
      const date = page.wording.format.date(page.config.dataTime)
      page.toast.show(config.words.outdated.replace('{date}', date), 15)
    },
    onAnother: () => void withLayer((loaded) => loaded.forget()),
  })
  if (!navigator.onLine) withLayer((loaded) => void loaded.restore()).catch(() => undefined)
  document.addEventListener('openfountain:kept', () => void layer?.then((loaded) => loaded.keep()))
  // Embedded maps have no search, and visitors do not contribute there.
  poll((signal) => log.read(signal), search !== undefined)
}
