import type { WaypointFilterInput } from '@openfountain/core'
import { filterNames, invalid, invalidBecause, WaypointFilter } from '@openfountain/core/internal'
import type { Chosen } from '../edition.ts'
import type { Format } from '../format.ts'
import { formats } from '../formats.ts'

export type ExportFilter = Omit<WaypointFilterInput, 'near' | 'limit' | 'after'>

export interface Selection {
  /** Which waypoints, by any member of a filter but `near`, `limit` and `after`; default all. Their status is as of the export. */
  readonly where?: ExportFilter | undefined
  /** Names of formats; default all that fit. */
  readonly formats?: readonly string[] | undefined
  readonly since?: string | undefined
}

const omissions = {
  DESCRIBES_REGISTRY: 'it describes the whole registry, which this export is a part of',
  CHAIN_INCOMPLETE: 'the log can be verified only when it is whole',
  NO_START: 'it needs a point to begin from (since)',
} as const

export type OmissionCode = keyof typeof omissions

/** A file that an export does not contain: the code of the reason, and `reason`, the same in words. */
export interface LeftOutFile {
  readonly file: string
  readonly code: OmissionCode
  readonly reason: string
}

/**
 * Chooses the formats of an export. Files that describe the whole registry do not belong to an export of a part
 * of it: they are left out, or refused when asked for by name.
 *
 * @throws {RegistryError} INVALID_INPUT for an unknown name, or one that does not fit the selection
 */
export function chosenFormats(selection: Selection): {
  readonly formats: readonly Format[]
  readonly leftOut: readonly LeftOutFile[]
} {
  const asked = selection.formats?.map(formatNamed)
  const isPart = Object.values(partOf(selection)).some((member) => member !== undefined)
  const candidates = asked ?? formats
  const leftOut: LeftOutFile[] = []
  const chosen: Format[] = []
  for (const format of formats) {
    if (!candidates.includes(format)) continue
    const code = omission(format, isPart, selection.since)
    if (code === undefined) chosen.push(format)
    else if (asked) throw invalidBecause('formats', `${format.name}: ${omissions[code]}`)
    else if (code !== 'NO_START') leftOut.push({ file: format.file, code, reason: omissions[code] })
  }
  return { formats: chosen, leftOut }
}

function formatNamed(name: string): Format {
  const found = formats.find((format) => format.name === name || format.file === name)
  if (found) return found
  const names = formats.map((format) => format.name).join(', ')
  throw invalidBecause('formats', `format ${JSON.stringify(name)} not found; the formats are ${names}`)
}

function omission(
  { subject, hasDifference }: Format,
  partial: boolean,
  since: string | undefined,
): OmissionCode | undefined {
  if (subject === 'registry' && (partial || (since !== undefined && !hasDifference)))
    return 'DESCRIBES_REGISTRY'
  if (subject === 'log' && partial) return 'CHAIN_INCOMPLETE'
  return subject === 'difference' && since === undefined ? 'NO_START' : undefined
}

/**
 * The chosen part of the registry, in normal form: codes in capitals, texts normalised.
 *
 * @throws {RegistryError} INVALID_INPUT naming the member
 */
export function partOf({ where = {} }: Selection): Chosen {
  const { isOwnLicense, keptNames, keptSources, ...given }: ExportFilter & Omit<Chosen, keyof ExportFilter> =
    where
  const other = Object.keys(given).find((name) => !filterNames.includes(name))
  if (other !== undefined) throw invalid(`where.${other}`, `must be one of ${filterNames.join(', ')}`)
  const { data, error } = WaypointFilter.safeParse(given)
  const issue = error?.issues[0]
  if (issue) throw invalid(['where', ...issue.path].join('.'), issue.message)
  return { ...data, isOwnLicense, keptNames, keptSources }
}
