import './theme.ts'
import './menus.ts'
import './labels.ts'
import './sharing.ts'
import './age.ts'
import './directions.ts'
import { stored } from './storage.ts'
import { offerForms } from '../contribute/start.ts'

/** Loads the script of statuses and hours; few pages depend on the current day. */
async function followDay(): Promise<void> {
  // It may be switched while that is loaded.
  const { lang } = document.documentElement
  const { follow } = await import('./status.ts')
  follow(lang)
}

const isContributing = (): boolean => ['account', 'outbox'].some(stored)

document.addEventListener('click', (event) => {
  const link = event.target instanceof Element && event.target.closest<HTMLAnchorElement>('a[data-prove]')
  if (!link || event.ctrlKey || event.metaKey) return
  event.preventDefault()
  void import('../proof/show.tsx').then(
    ({ prove }) => prove(link),
    () => location.assign(link.href),
  )
})
if (import.meta.env.WITH_API) {
  if (document.querySelector('#bell') && stored('account') !== null)
    void import('./bell.ts').then(({ showBell }) => showBell().catch(() => undefined))
  if (document.querySelector('#contribute')) offerForms()
  if (document.querySelector('#fountain-data,[data-live-list]')) void import('../live/pages.ts')
  if (document.querySelector('#account-link') && isContributing())
    void import('../contribute/outbox/page/begin.ts')
  if (document.querySelector('#panel,#explore') && stored('account-moderator') !== null)
    void import('../many/begin.ts')
}
if (document.querySelector('[data-stages],[data-hours],[data-season]')) void followDay()
