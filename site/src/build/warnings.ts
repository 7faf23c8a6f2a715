import { ExportFolderError } from '../data/problem.ts'
import type { InvalidRecord } from '../data/stream.ts'
import { beyondText, type Amount } from './plan.ts'

/** A degraded build. `message` is the warning in one line. */
export type SiteWarning =
  /** The site exceeds the limits of the usual hosts. */
  | {
      readonly code: 'BEYOND_LIMITS'
      /** Of the whole site. */
      readonly files: number
      readonly bytes: number
      readonly message: string
    }
  /** Some downloads exceed the file size limit of a usual host. */
  | { readonly code: 'LARGE_FILES'; readonly message: string }
  /** The street map covers none of the fountains. */
  | { readonly code: 'BASEMAP_ELSEWHERE'; readonly message: string }
  /** The street map has more tiles around fountains than a build reads: some are called by their town alone. */
  | { readonly code: 'STREETS_BEYOND'; readonly waypoints: number; readonly message: string }
  /** An earlier site cannot be removed; it may still contain data that was erased since. */
  | { readonly code: 'LEFTOVER'; readonly folder: string; readonly message: string }
  /** A waypoint, a review, a person or an area cannot be shown, and is left out. */
  | {
      readonly code: 'RECORD_SKIPPED'
      readonly file: string
      /** The id of the record, where it has one. */
      readonly id?: number | string
      readonly reason: string
      readonly message: string
    }

export function skippedWarning({ code: _code, id, ...place }: InvalidRecord): SiteWarning {
  const { found } = new ExportFolderError({ code: 'INVALID_RECORD', ...place })
  const which = id === undefined ? 'A record' : `Record ${id}`
  const message = `${which} cannot be shown and is left out: ${found}`.replaceAll(/\s+/gu, ' ')
  return { code: 'RECORD_SKIPPED', file: place.file, id, reason: place.reason, message }
}

export function leftoverWarning(folder: string): SiteWarning {
  const message = `${folder} is of an earlier site and belongs to another user, who alone can remove it: sudo rm -r ${folder}. Until then it has what was erased since`
  return { code: 'LEFTOVER', folder, message }
}

export function beyondWarning(amount: Amount): SiteWarning {
  return { code: 'BEYOND_LIMITS', ...amount, message: beyondText(amount) }
}

export function emitWarning({ code, message }: SiteWarning): void {
  process.emitWarning(message, { code })
}

export const elsewhereWarning: SiteWarning = {
  code: 'BASEMAP_ELSEWHERE',
  message: 'None of the fountains lies on the base map: it is of another place',
}

export const streetsWarning = (waypoints: number): SiteWarning => ({
  code: 'STREETS_BEYOND',
  waypoints,
  message: `${waypoints} fountains without a name are called by their place, not by their street: the map has more than 5,000 tiles around fountains`,
})
