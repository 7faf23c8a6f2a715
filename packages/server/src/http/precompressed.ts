import { stat } from 'node:fs/promises'
import type { Coded } from './entity-tag.ts'
import { chosenVariant } from './negotiation.ts'

/** What a name has after it when the file is the compressed form of another; the order in which one is preferred. */
const endings: readonly Coded[] = ['br', 'zst', 'gz']

/** A compressed form of a file, which lies beside it. */
export interface Precompressed {
  readonly path: string
  readonly variant: Coded
}

/**
 * Finds the compressed form of a file that the client prefers, such as `waypoints.csv.br` of `waypoints.csv`. One that
 * has not the file's own time of change is of an older file, or a file in its own right.
 *
 * @param mtimeMs when the file was changed, in milliseconds
 * @param accepted the Accept-Encoding header, or null
 */
export async function precompressedBeside(
  path: string,
  mtimeMs: number,
  accepted: string | null,
): Promise<Precompressed | undefined> {
  if (accepted === null) return undefined
  const found = await Promise.all(
    endings.map(async (variant) => {
      const beside = await stat(`${path}.${variant}`).catch(() => undefined)
      return beside?.isFile() === true && Math.abs(beside.mtimeMs - mtimeMs) < 1 ? [variant] : []
    }),
  )
  const variant = chosenVariant(accepted, found.flat())
  return variant === '' ? undefined : { path: `${path}.${variant}`, variant }
}
