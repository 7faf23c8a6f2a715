import { fountainAsked, mapWith } from './fountain-asked.ts'

/**
 * The page that stands in for one that was not opened before, without a network: leads to a fountain on the map, which
 * may be kept, and loads the page once there is a network.
 */
const onMap = document.querySelector<HTMLAnchorElement>('#on-map')
const id = fountainAsked()

document.querySelector('#again')?.addEventListener('click', () => location.reload())
addEventListener('online', () => location.reload())

if (onMap && id !== undefined) {
  onMap.hidden = false
  // Its language is known once it is pressed.
  onMap.addEventListener('click', () => (onMap.href = mapWith(id)))
}
