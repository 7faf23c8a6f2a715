import type { ExportFolder } from '../data/folder.ts'
import { mapStrings, type MapConfig } from '../map/config.ts'
import type { View } from './view.ts'

/** What a page in one language tells the map's script. */
export function mapConfig({ site, m, tag, page, file }: View): MapConfig {
  const { folder, survey } = site.data
  return {
    base: site.base,
    language: tag,
    home: page(''),
    fountains: file('waypoint/'),
    dataTime: folder.dataTime,
    version: dataVersion(folder),
    ...(survey.bounds && { bounds: survey.bounds }),
    areas: site.data.areas.length > 0,
    ...(site.style !== undefined && { style: { light: site.style } }),
    later: site.map.later,
    worker: site.map.worker,
    strings: mapStrings(m),
  }
}

/** Changes whenever the data does; goes behind the address of each of the map's data files. */
export function dataVersion({ revision, dataTime }: Pick<ExportFolder, 'revision' | 'dataTime'>): string {
  return `${revision}-${Date.parse(dataTime).toString(36)}`
}
