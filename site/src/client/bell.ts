import { request } from '../api/request.ts'

export function showUnread(unread: number): void {
  const bell = document.querySelector<HTMLElement>('#bell')
  const count = bell?.querySelector<HTMLElement>('.bell-count')
  if (!bell || !count) return
  bell.hidden = false
  count.hidden = unread === 0
  count.textContent = unread > 99 ? '99+' : String(unread)
}

/** Shows the bell to somebody who is signed in; a host with accounts of its own may have none. */
export async function showBell(): Promise<void> {
  const { unread } = await request<{ unread: number }>('GET', '/user/notifications?limit=1')
  showUnread(unread)
}
