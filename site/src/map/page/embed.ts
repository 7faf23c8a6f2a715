import { elementBy } from '../../client/element-by.ts'
import { followChanges } from '../../live/follow.ts'
import { readConfig } from '../data/config.ts'
import { MapPage } from './map-page.tsx'
import { writeState } from '../data/state.ts'

/** The script of an embedded map: the map alone, with a link to the same view of the large one. */

const page = new MapPage(readConfig(document), { framed: true })
const link = elementBy<HTMLAnchorElement>('#open-large')

page.parts = {
  onIdle() {
    const { map, words, filter } = page
    if (map) link.href = words.address(writeState({ at: map.place, filter }))
  },
}
void page.start().then(() => followChanges(page))
