import type { ExportFolder, ExportPart } from '../data/folder.ts'
import { mapStrings, type MapConfig } from '../map/data/config.ts'
import type { Messages } from '../messages.ts'
import type { SiteContext } from './context.ts'
import type { View } from './view.ts'

/** The configuration of the map's script on a page in one language. */
export function mapConfig({ site, m, tag, page, file }: View): MapConfig {
  const { folder, survey } = site.data
  return {
    base: site.base,
    language: tag,
    home: page(''),
    fountains: file('waypoint/'),
    dataTime: folder.dataTime,
    version: dataVersion(folder),
    bounds: survey.bounds,
    tiles: survey.waypoints > 0 && tilesPart(folder) !== undefined,
    turns: site.turns,
    areas: site.data.areas.length > 0,
    ...creditConfig(site),
    land: site.land,
    ...(site.style && { style: site.style, savedInPart: m.streets.savedInPart }),
    ...streetConfig(site, tag, m),
    strings: mapStrings(m),
    ...liveConfig(site, m),
  }
}

/** With several parties, the map's script chooses which of them its attribution line names. */
export function creditConfig({ credits }: Pick<SiteContext, 'credits'>): Pick<MapConfig, 'credits'> {
  const { groups, own } = credits
  if (groups.flatMap(({ parties }) => parties).length < 2) return {}
  return { credits: { own } }
}

function streetConfig(
  { streets }: SiteContext,
  tag: string,
  m: Messages,
): Pick<MapConfig, 'streets' | 'savedInPart'> {
  if (!streets) return {}
  const { archive, style } = streets
  return {
    streets: { archive, style: style(tag) },
    savedInPart: m.streets.savedInPart,
  }
}

function liveConfig({ api, data }: SiteContext, m: Messages): Pick<MapConfig, 'live'> {
  if (api === undefined) return {}
  const { log: head } = data.folder
  return {
    live: {
      api,
      head,
      words: {
        outdated: m.live.outdated,
        waiting: m.live.waiting,
        merged: m.waypoint.mergedInto,
        ...(data.survey.waypoints === 0 && { none: m.home.emptyTitle }),
      },
    },
  }
}

/** The part whose tiles hold all waypoints; undefined when several parts have waypoints, whose tiles would overlap. */
export function tilesPart({ parts }: Pick<ExportFolder, 'parts'>): ExportPart | undefined {
  const [first, ...others] = parts.length === 1 ? parts : parts.filter(({ waypoints }) => waypoints > 0)
  return others.length === 0 ? first : undefined
}

/** Increased when the format of the map's data files changes, so that older scripts cannot read them. */
const formOfFiles = 4

/**
 * Changes with the data, the day of its states and its format; it is the query of the address of each of the map's data
 * files.
 */
export function dataVersion({
  revision,
  dataTime,
  asOf = dataTime,
}: Pick<ExportFolder, 'revision' | 'dataTime' | 'asOf'>): string {
  const day = Math.floor(Date.parse(asOf) / 86_400_000).toString(36)
  return `${revision}-${Date.parse(dataTime).toString(36)}-${day}-${formOfFiles}`
}
