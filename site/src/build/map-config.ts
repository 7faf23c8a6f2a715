import type { ExportFolder, ExportPart } from '../data/folder.ts'
import type { MapConfig } from '../map/data/config.ts'
import type { Messages } from '../messages.ts'
import { chosen, type CountKey, type TextKey } from '../texts.ts'
import type { SiteContext } from './context.ts'
import type { View } from './view.ts'

export function mapConfig(view: View): MapConfig {
  const { site, tag } = view
  const { folder, survey } = site.data
  return {
    base: site.base,
    language: tag,
    dataTime: folder.dataTime,
    version: dataVersion(folder),
    bounds: survey.bounds,
    tiles: survey.waypoints > 0 && tilesPart(folder) !== undefined,
    turns: site.turns,
    cells: site.cells,
    areas: site.data.areas.length > 0,
    ...creditConfig(site),
    ...baseMapOf(view),
    icons: site.icons,
    labels: {
      prefix: view.prefix,
      strings: chosen(view.strings, needed),
      counts: chosen(view.counts, needed),
    },
    ...liveConfig(site),
  }
}

/** With several parties, the map's script chooses which of them its attribution line names. */
export function creditConfig({ credits }: Pick<SiteContext, 'credits'>): Pick<MapConfig, 'credits'> {
  const { groups, own } = credits
  if (groups.flatMap(({ parties }) => parties).length < 2) return {}
  return { credits: { own } }
}

export function baseMapOf({ site, tag }: View): Pick<MapConfig, 'land' | 'style' | 'streets'> {
  const { land, style, streets } = site
  return { land, style, ...(streets && { streets: { archive: streets.archive, style: streets.style(tag) } }) }
}

function liveConfig({ api, data }: SiteContext): Pick<MapConfig, 'live'> {
  return api === undefined ? {} : { live: { api, head: data.folder.log } }
}

/** Texts of the map's script: all of some sections, and further texts and plurals. */
const needed = new Set<keyof Messages | TextKey | CountKey>([
  'map',
  'amenity',
  'status',
  'hours',
  'fact',
  'site.labelled',
  'waypoint.lastKnown',
  'waypoint.verified',
  'waypoint.notVerified',
  'waypoint.notApproved',
  'waypoint.directions',
  'waypoint.openIn',
  'waypoint.source',
  'waypoint.sourceHere',
  'waypoint.listed',
  'waypoint.osmEdit',
  'waypoint.stars',
  'waypoint.region',
  'waypoint.amenities',
  'waypoint.mergedInto',
  'live.outdated',
  'live.waiting',
  'home.emptyTitle',
  'streets.savedInPart',
  'fountains',
  'reviews',
  'byPeople',
])

/** The part whose tiles hold all waypoints; undefined when several parts have waypoints, whose tiles would overlap. */
export function tilesPart({ parts }: Pick<ExportFolder, 'parts'>): ExportPart | undefined {
  const [first, ...others] = parts.length === 1 ? parts : parts.filter(({ waypoints }) => waypoints > 0)
  return others.length === 0 ? first : undefined
}

/** Increased when the format of the map's data files changes, so that older scripts cannot read them. */
const formOfFiles = 7

/** The query of the addresses of the map's data: it changes with the data, the day of its states and its format. */
export function dataVersion({
  revision,
  dataTime,
  asOf,
}: Pick<ExportFolder, 'revision' | 'dataTime' | 'asOf'>): string {
  const day = Math.floor(Date.parse(asOf) / 86_400_000).toString(36)
  return `${revision}-${Date.parse(dataTime).toString(36)}-${day}-${formOfFiles}`
}
