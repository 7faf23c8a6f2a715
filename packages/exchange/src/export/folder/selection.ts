import { Box, invalid, invalidBecause } from '@openfountain/core/internal'
import type { Format } from '../format.ts'
import { formats } from '../formats.ts'
import type { BoundingBox } from '../snapshot.ts'

/** What an export was asked to hold. */
export interface Selection {
  /** Names of formats; default all that fit. */
  readonly formats?: readonly string[] | undefined
  readonly bbox?: BoundingBox | undefined
  readonly region?: string | undefined
  readonly since?: string | undefined
}

export interface ChosenFormats {
  readonly formats: readonly Format[]
  /** Files of the usual export that this one does not hold, and why. */
  readonly leftOut: readonly { readonly file: string; readonly reason: string }[]
}

/**
 * Chooses the formats of an export. Files that describe the whole registry have no place in an export of a part
 * of it: they are left out, or refused when asked for by name.
 *
 * @throws {RegistryError} INVALID_INPUT for an unknown name, or one that does not fit the selection
 */
export function chosenFormats(selection: Selection): ChosenFormats {
  checkBoundingBox(selection.bbox)
  const asked = selection.formats?.map(formatNamed)
  const candidates = asked ?? formats
  const leftOut: { file: string; reason: string }[] = []
  const chosen: Format[] = []
  for (const format of formats) {
    if (!candidates.includes(format)) continue
    const reason = reasonAgainst(format, selection)
    if (reason === undefined) chosen.push(format)
    else if (asked) throw invalidBecause('formats', `${format.name}: ${reason}`)
    else if (format.subject !== 'difference') leftOut.push({ file: format.file, reason })
  }
  return { formats: chosen, leftOut }
}

function formatNamed(name: string): Format {
  const found = formats.find((format) => format.name === name || format.file === name)
  if (found) return found
  const names = formats.map((format) => format.name).join(', ')
  throw invalidBecause('formats', `there is no format ${JSON.stringify(name)}; there are ${names}`)
}

function reasonAgainst({ subject }: Format, { bbox, region, since }: Selection): string | undefined {
  const partial = bbox !== undefined || region !== undefined
  if (subject === 'registry' && (partial || since !== undefined)) {
    return 'it describes the whole registry, which this export is a part of'
  }
  if (subject === 'log' && partial) return 'the chain of the log holds only when it is whole'
  if (subject === 'difference' && since === undefined) return 'it needs a point to begin from (since)'
  return undefined
}

function checkBoundingBox(bbox: BoundingBox | undefined): void {
  const { error } = Box.optional().safeParse(bbox)
  const issue = error?.issues[0]
  if (issue) throw invalid(['bbox', ...issue.path].join('.'), issue.message)
}
