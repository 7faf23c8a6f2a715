import { announce } from '../client/announce.ts'
import type { MapPage } from '../map/page/map-page.tsx'
import { cacheNames } from './caches.ts'
import { filesToKeep, seenCellLimit } from './saved-view.ts'
import worker from './worker.ts?worker&url'

const filesAtOnce = 6

/** Somebody who looks at the map for this time may add and confirm fountains later, without a network. */
const seenMilliseconds = 3000

/** Makes the site work without a network from the second visit on, and lets visitors save a part of the map. */
export async function workOffline(page: MapPage): Promise<void> {
  announceOffline(page)
  if (!('serviceWorker' in navigator)) return
  const { config } = page
  let registration: ServiceWorkerRegistration
  try {
    registration = await navigator.serviceWorker.register(worker, { scope: config.base })
  } catch {
    // Private windows and some settings refuse workers; the site then needs a network.
    return
  }
  offerNewVersion(page, registration)
  const { active } = await navigator.serviceWorker.ready
  // A worker that was just installed missed the opening of this page.
  active?.postMessage({ remember: location.pathname }, { transfer: [] })
  if (config.live) setTimeout(() => keepForms(active, page).catch(() => undefined), seenMilliseconds)
  const label = page.words.text('map.offlineSave')
  page.addButton({ id: 'keep-offline', icon: 'offline', label, press: () => void keepView(page) })
}

/** Keeps the forms, the page of the visitor's own contributions, and the fountains in view, to be confirmed later. */
async function keepForms(worker: ServiceWorker | null, page: MapPage): Promise<void> {
  const { map, cells, config, words } = page
  worker?.postMessage('contribute', { transfer: [] })
  worker?.postMessage({ remember: words.address('contributions/') }, { transfer: [] })
  const files = map && filesToKeep(map.bounds, await cells.index(), seenCellLimit)
  for (const file of files ?? [])
    worker?.postMessage({ remember: `${config.base}${file}${versionOf(page)}` }, { transfer: [] })
}

const versionOf = ({ config }: MapPage): string => `?v=${encodeURIComponent(config.version)}`

function announceOffline(page: MapPage): void {
  addEventListener('offline', () => page.tellOffline())
  addEventListener('online', () => {
    if (navigator.onLine) page.toast.hide()
  })
  if (!navigator.onLine) page.tellOffline()
}

/** A newer version waits until the visitor agrees: nothing changes during use. */
function offerNewVersion(page: MapPage, registration: ServiceWorkerRegistration): void {
  const { toast, words } = page
  const offer = (worker: ServiceWorker): void => {
    if (worker.state !== 'installed' || !navigator.serviceWorker.controller) return
    toast.show(words.text('map.newVersion'), 0, {
      label: words.text('map.reload'),
      pressed() {
        navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true })
        worker.postMessage('take over', { transfer: [] })
      },
    })
  }
  if (registration.waiting) offer(registration.waiting)
  registration.addEventListener('updatefound', () => {
    const worker = registration.installing
    worker?.addEventListener('statechange', () => offer(worker))
  })
}

/** Saves the current view: its fountains with details, and the land. */
async function keepView(page: MapPage): Promise<void> {
  const { map, cells, config, toast, words } = page
  if (!map) return
  toast.show(words.text('map.offlineSaving'), 0)
  try {
    const query = versionOf(page)
    const files = filesToKeep(map.bounds, await cells.index())
    if (!files) return toast.show(words.text('map.offlineTooLarge'), 10)
    const cache = await caches.open(cacheNames(config.base).kept)
    const addresses = files.map((file) => `${config.base}${file}${query}`)
    if (config.land !== undefined && !(await cache.match(config.land))) addresses.push(config.land)
    for (let from = 0; from < addresses.length; from += filesAtOnce)
      await cache.addAll(addresses.slice(from, from + filesAtOnce))
    for (const address of addresses)
      for (const known of await cache.keys(address, { ignoreSearch: true }))
        if (!known.url.endsWith(address)) await cache.delete(known)
    announce('openfountain:kept')
    toast.show(words.text(config.style || config.streets ? 'streets.savedInPart' : 'map.offlineSaved'))
  } catch {
    toast.show(words.text('map.offlineFailed'), 10)
  }
}
