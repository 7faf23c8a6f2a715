import { mapStrings, type MapConfig } from '../map/config.ts'
import { fill } from '../messages.ts'
import type { View } from './view.ts'

/** What a page in one language tells the map's script. */
export function mapConfig({ site, m, tag, page, file }: View): MapConfig {
  const { folder, survey } = site.data
  const { author, license } = folder.registry
  return {
    base: site.base,
    language: tag,
    home: page(''),
    fountains: file('waypoint/'),
    title: site.title,
    dataTime: folder.dataTime,
    version: `${folder.revision}-${Date.parse(folder.dataTime).toString(36)}`,
    ...(survey.bounds && { bounds: survey.bounds }),
    total: survey.waypoints,
    areas: site.data.areas.length > 0,
    ...(site.style !== undefined && { style: { light: site.style } }),
    attribution: fill(m.map.attribution, { author, license }),
    later: site.map.later,
    worker: site.map.worker,
    strings: mapStrings(m),
  }
}
