import { render } from 'preact'

const shownMilliseconds = 8000
let region: HTMLElement | undefined
let changing: ReturnType<typeof setTimeout> | undefined

/** Shows a notice over the page, announced politely. It has its own live region; the map's announces the view. */
export function tell(text: string): void {
  region ??= document.createElement('div')
  const show = (shown: string): void => {
    if (region)
      render(
        <p class="toast no-print" role="status">
          {shown}
        </p>,
        region,
      )
  }
  if (!region.isConnected) {
    show('')
    document.body.append(region)
  }
  clearTimeout(changing)
  // Screen readers skip the first content of a new live region.
  changing = setTimeout(() => {
    show(text)
    changing = setTimeout(() => show(''), shownMilliseconds)
  }, 50)
}
