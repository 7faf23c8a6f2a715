import { element } from '../map/card/markup.ts'

const shownMilliseconds = 8000
let region: HTMLElement | undefined
let changing: ReturnType<typeof setTimeout> | undefined

/** Shows a notice over the page, announced politely. It has its own live region; the map's announces the view. */
export function tell(text: string): void {
  region ??= element('p', { class: 'contribute-notice', role: 'status' })
  if (!region.isConnected) document.body.append(region)
  clearTimeout(changing)
  // Screen readers skip the first content of a new live region.
  changing = setTimeout(() => {
    if (region) region.textContent = text
    changing = setTimeout(() => region?.replaceChildren(), shownMilliseconds)
  }, 50)
}
