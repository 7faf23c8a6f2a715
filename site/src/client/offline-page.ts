import { fountainAsked, mapWith } from './fountain-asked.ts'

/** The page for pages outside the cache: it links to the fountain on the map, and reloads with the network. */
const onMap = document.querySelector<HTMLAnchorElement>('#on-map')
const id = fountainAsked()

document.querySelector('#again')?.addEventListener('click', () => location.reload())
// Chromium may fire the event without a network while a page is being left.
addEventListener('online', () => {
  if (navigator.onLine) location.reload()
})

if (onMap && id !== undefined) {
  onMap.hidden = false
  // The language is only known when it is pressed.
  onMap.addEventListener('click', () => (onMap.href = mapWith(id)))
}
