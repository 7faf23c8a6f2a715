import { scope } from './scope.ts'

/** Shows messages of Web Push, and opens the fountain of one that is pressed, or all that happened. */
export function showPushes(base: string): void {
  scope.addEventListener('push', (event) => {
    const { title, fountain, ...shown } = event.data.json()
    const data = fountain === undefined ? `${base}following/` : `${base}?fountain=${fountain}`
    event.waitUntil(scope.registration.showNotification(title, { ...shown, data, icon: `${base}icon.svg` }))
  })
  scope.addEventListener('notificationclick', (event) => {
    event.notification.close()
    event.waitUntil(scope.clients.openWindow(String(event.notification.data)))
  })
}
