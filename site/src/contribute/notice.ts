import { element } from '../map/card/markup.ts'

const shownMilliseconds = 8000
let region: HTMLElement | undefined
let changing: ReturnType<typeof setTimeout> | undefined

/**
 * Says what was done, over whatever page it is; read out politely. It has a region of its own: that of the map is about what
 * is in view.
 */
export function tell(text: string): void {
  region ??= element('p', { class: 'contribute-notice', role: 'status' })
  if (!region.isConnected) document.body.append(region)
  clearTimeout(changing)
  // A region that is new is not read out with what it begins with.
  changing = setTimeout(() => {
    if (region) region.textContent = text
    changing = setTimeout(() => region?.replaceChildren(), shownMilliseconds)
  }, 50)
}
