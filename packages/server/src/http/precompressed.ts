import { stat } from 'node:fs/promises'
import type { Coded } from './response.ts'
import { chosenVariant } from './negotiation.ts'

/** Extensions of compressed files, in order of preference. */
const endings: readonly Coded[] = ['br', 'zst', 'gz']

/** A compressed form beside a file. */
export interface Precompressed {
  readonly path: string
  readonly variant: Coded
}

/**
 * Finds the compressed form that the client prefers, such as `waypoints.csv.br` for `waypoints.csv`. A form with
 * another modification time belongs to an older file, or is a file in its own right.
 *
 * @param mtimeMs the modification time of the file, in milliseconds
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
