import { followChanges } from '../../live/begin.ts'
import { readConfig } from '../data/config.ts'
import { MapPage } from './map-page.ts'
import { byId } from '../card/markup.ts'
import { writeState } from '../data/state.ts'

/** The script of an embedded map: the map alone, with a link to the same view of the large one. */

const page = new MapPage(readConfig(document), { framed: true })
const link = byId('open-large', HTMLAnchorElement)

page.parts = {
  onUserMove: () => undefined,
  onIdle() {
    const { map, config, filter } = page
    if (map && link) link.href = `${config.home}${writeState({ at: map.place, filter })}`
  },
}
void page.start().then(() => followChanges(page))
