import './theme.ts'
import './menus.ts'
import './labels.ts'
import './sharing.ts'
import './age.ts'
import './directions.ts'

/** Loads the script of statuses and hours; few pages depend on the current day. */
async function followDay(): Promise<void> {
  // It may be switched while that is loaded.
  const { lang } = document.documentElement
  const { follow } = await import('./status.ts')
  follow(lang)
}

if (import.meta.env.WITH_API && document.querySelector('#fountain-data,[data-live-list]'))
  void import('../live/pages.ts')
if (document.querySelector('[data-stages],[data-hours],[data-season]')) void followDay()
