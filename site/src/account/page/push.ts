import { request } from '../../api/request.ts'
import { siteOfPage } from '../../api/site.ts'

/** Notifications on this device: the browser has none, its owner refused them, or they are off or on. */
export type PushState = 'without' | 'refused' | 'off' | 'on'

const { base } = siteOfPage()
const isAble = 'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis
const keyOfServer = () => request<{ key: string }>('GET', '/user/push')

const subscribed = async () =>
  (await navigator.serviceWorker.getRegistration(base))?.pushManager.getSubscription()

/** Tells the server of this device. @throws DOMException when it is told of another key of a server */
async function tell({ pushManager }: ServiceWorkerRegistration, key: string): Promise<void> {
  const found = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
  const { endpoint, keys } = found.toJSON()
  await request('POST', '/user/push', { endpoint, keys })
}

/** Undefined where the server pushes nothing. A device that is on is told to the server again, which may have forgotten it. */
export async function pushState(): Promise<PushState | undefined> {
  const known = await keyOfServer().catch(() => undefined)
  if (known === undefined) return undefined
  if (!isAble) return 'without'
  if (Notification.permission === 'denied') return 'refused'
  if (!(await subscribed())) return 'off'
  const isTold = tell(await navigator.serviceWorker.ready, known.key).then(() => true)
  return (await isTold.catch(() => false)) ? 'on' : 'off'
}

export async function turnPushOn(): Promise<void> {
  const { key } = await keyOfServer()
  if ((await Notification.requestPermission()) !== 'granted') return
  await navigator.serviceWorker.register(`${base}sw.js`, { scope: base })
  await (await subscribed())?.unsubscribe()
  await tell(await navigator.serviceWorker.ready, key)
}

export async function turnPushOff(): Promise<void> {
  const found = isAble && (await subscribed())
  if (!found) return
  await request('DELETE', '/user/push', { endpoint: found.endpoint })
  await found.unsubscribe()
}
