import { elementBy } from '../../client/element-by.ts'
import { followChanges } from '../../live/follow.ts'
import { readConfig } from '../data/config.ts'
import { MapPage } from './map-page.tsx'
import { writeState } from '../data/state.ts'

const page = new MapPage(readConfig(document), { framed: true })
const link = elementBy<HTMLAnchorElement>('#open-large')
/** Says how many fountains in view are not usable, and shows them, too. */
const others = elementBy<HTMLButtonElement>('#unusable')
others.addEventListener('click', () => page.setFilter({ ...page.filter, usable: false }))

page.parts = {
  onIdle() {
    const { map, words, filter } = page
    if (!map) return
    link.href = words.address(writeState({ at: map.place, filter }))
    const { unusable } = map.countInView()
    const without = words.text('map.without', { filter: words.text('map.only.usable') })
    others.textContent = `${words.plural('map.unusable', unusable)} ${without} ·`
    others.hidden = unusable === 0
  },
}
void page.start().then(() => followChanges(page))
