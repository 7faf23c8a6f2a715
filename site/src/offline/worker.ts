import { coarseLandBytes } from '../map/data/land.ts'
import { sendInBackground } from './background-sync.ts'
import { cacheNames, handlingOf } from './caches.ts'
import { showPushes } from './push.ts'
import { scope, type RequestEvent } from './scope.ts'

/** The settings that `build.ts` writes before this script: its bytes change with the site, so that browsers install the new one. */
export interface ServiceWorkerSettings {
  readonly base: string
  /** Address of the API; absent without one. */
  readonly api?: string
  readonly version: string
  /** Addresses below the root that each visitor caches. */
  readonly shell: readonly string[]
  readonly offline: string
  /** Addresses that contributors cache in addition. */
  readonly accounts: readonly string[]
  /** Address of the base map below the root; absent where the operator has a style. */
  readonly land?: string
}

declare const SITE: ServiceWorkerSettings

const names = cacheNames(SITE.base)
const [shell, pages] = [names.shell(SITE.version), names.pages(SITE.version)]

/** After this time a cached page is used instead of waiting for a slow network. */
const timeoutMilliseconds = 4000

/** Most entries of a cache, without the saved view; the oldest are removed first. */
const pageLimit = 40
const dataLimit = 800

if (import.meta.env.WITH_API && SITE.api !== undefined) {
  sendInBackground({ api: SITE.api, base: SITE.base })
  showPushes(SITE.base)
}

scope.addEventListener('install', (event) => event.waitUntil(install()))
scope.addEventListener('activate', (event) => event.waitUntil(activate()))
scope.addEventListener('message', (event) => {
  const { data } = event
  if (data === 'take over') void scope.skipWaiting()
  else if (data === 'contribute') event.waitUntil(keepAccounts())
  else if (typeof data === 'object') event.waitUntil(remember(data.remember))
})
scope.addEventListener('fetch', (event) => {
  const { request } = event
  const { url, method, mode } = request
  const site = { origin: scope.location.origin, base: SITE.base }
  const handling = handlingOf({ url, method, mode, range: request.headers.has('range') }, site)
  if (handling === 'page') event.respondWith(page(event))
  else if (handling === 'shell') event.respondWith(fromCache(request, shell))
  else if (handling === 'data') event.respondWith(data(request))
  else if (handling === 'part') event.respondWith(part(request))
})

/** A new version is complete before it is activated: when one file cannot be fetched, the old version stays. */
async function install(): Promise<void> {
  const cache = await caches.open(shell)
  await cache.addAll(requestsOf(SITE.shell))
  if (SITE.land !== undefined) await keepCoarseLand(cache, `${SITE.base}${SITE.land}`)
  if (await isContributing()) await keepAccounts()
  await refetchPages()
}

const requestsOf = (paths: readonly string[]): Request[] =>
  paths.map((path) => new Request(`${SITE.base}${path}`, { cache: 'no-cache' }))

/** Whether the user contributes in this browser: an earlier version has cached the forms. */
async function isContributing(): Promise<boolean> {
  for (const name of await ownCaches()) {
    const kept = await (await caches.open(name)).keys()
    if (kept.some(({ url }) => new URL(url).pathname.startsWith(`${SITE.base}_astro/contribute/`)))
      return true
  }
  return false
}

async function keepAccounts(): Promise<void> {
  const cache = await caches.open(shell)
  for (const request of requestsOf(SITE.accounts)) if (!(await cache.match(request))) await cache.add(request)
}

/** Pages refer to scripts of their version, so the cached ones are fetched again. */
async function refetchPages(): Promise<void> {
  const fresh = await caches.open(pages)
  for (const name of await ownCaches()) {
    if (!name.startsWith(names.pages('')) || name === pages) continue
    const requests = await (await caches.open(name)).keys()
    await Promise.allSettled(requests.map(({ url }) => fresh.add(url)))
  }
}

async function activate(): Promise<void> {
  const keep = new Set([shell, pages, names.data, names.kept])
  for (const name of await ownCaches()) if (!keep.has(name)) await caches.delete(name)
  await scope.clients.claim()
}

/** Keeps a page or a file of data, unless it is kept: opening a page renews it. */
async function remember(path: string): Promise<void> {
  const { origin } = scope.location
  const request = { url: `${origin}${path}`, method: 'GET', mode: 'navigate', range: false }
  const isData = handlingOf(request, { origin, base: SITE.base }) === 'data'
  const cache = await caches.open(isData ? names.data : pages)
  if (!(await cache.match(path))) await cache.add(path)
}

async function ownCaches(): Promise<string[]> {
  return (await caches.keys()).filter((name) => name.startsWith(names.prefix))
}

/** A page from the network, else from the cache, else the offline page; a home page may be that of another language. */
async function page(event: RequestEvent): Promise<Response> {
  const { request } = event
  const cache = await caches.open(pages)
  const known = await cache.match(request, { ignoreSearch: true })
  try {
    const fresh = await (known ? withTimeout(fetch(request)) : fetch(request))
    if (fresh.ok && fresh.type === 'basic' && !fresh.redirected) {
      const path = new URL(request.url).pathname
      event.waitUntil(cache.put(path, fresh.clone()).then(() => trim(cache, pageLimit)))
    }
    return fresh
  } catch (error) {
    const instead =
      known ?? (isHome(request.url) ? await cache.match(SITE.base) : undefined) ?? (await notKept())
    if (instead) return instead
    throw error
  }
}

function isHome(url: string): boolean {
  const path = new URL(url).pathname.slice(SITE.base.length)
  return path === '' || SITE.shell.includes(`languages/${path.replace(/\/$/u, '')}.json`)
}

async function notKept(): Promise<Response | undefined> {
  return (await caches.open(shell)).match(`${SITE.base}${SITE.offline}`)
}

function withTimeout(response: Promise<Response>): Promise<Response> {
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error('The network is too slow')), timeoutMilliseconds)
  })
  return Promise.race([response, late])
}

async function fromCache(request: Request, name: string): Promise<Response> {
  const known = await caches.match(request)
  if (known) return known
  const fresh = await fetch(request)
  if (fresh.ok && fresh.type === 'basic') await (await caches.open(name)).put(request, fresh.clone())
  return fresh
}

/** Data of the requested version; offline also of an older one. */
async function data(request: Request): Promise<Response> {
  try {
    const response = await fromCache(request, names.data)
    await trim(await caches.open(names.data), dataLimit)
    return response
  } catch (error) {
    const older = await caches.match(request, { ignoreSearch: true })
    if (older) return older
    throw error
  }
}

/** Caches the beginning of the base map, so that there is land everywhere; an earlier version may have it. */
async function keepCoarseLand(cache: Cache, address: string): Promise<void> {
  const known = await caches.match(address)
  if (known) return cache.put(address, known)
  const response = await fetch(address, { headers: { range: `bytes=0-${coarseLandBytes - 1}` } })
  if (!response.ok) throw new Error(`${address} returned ${response.status}`)
  await cache.put(address, new Response(await response.arrayBuffer()))
}

/** A part of a file of which a cache has the beginning or the whole, else from the network. */
async function part(request: Request): Promise<Response> {
  const [, from, to] = /^bytes=(\d+)-(\d+)$/u.exec(request.headers.get('range') ?? '') ?? []
  for (const name of [shell, names.kept]) {
    const bytes = await (await (await caches.open(name)).match(request.url))?.blob()
    if (bytes && Number(to) < bytes.size)
      return new Response(bytes.slice(Number(from), Number(to) + 1), { status: 206 })
  }
  return fetch(request)
}

async function trim(cache: Cache, limit: number): Promise<void> {
  const entries = await cache.keys()
  for (const entry of entries.slice(0, Math.max(0, entries.length - limit))) await cache.delete(entry)
}
