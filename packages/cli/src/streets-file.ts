import { existsSync } from 'node:fs'
import path from 'node:path'
import { isOnServer } from '@openfountain/core/internal'

/** Where `basemap add` puts the streets of a registry: beside its database, or in the working directory. */
export const streetsBeside = (database: string): string =>
  path.resolve(isOnServer(database) ? '.' : path.dirname(path.resolve(database)), 'streets.pmtiles')

/** The base map of a publication: the one that was asked for, `none`, or else the streets of the registry. */
export function basemapOf({
  basemap,
  style,
  db,
}: {
  readonly basemap?: string | undefined
  readonly style?: string | undefined
  readonly db: string
}): string | undefined {
  if (basemap !== undefined) return basemap === 'none' ? undefined : basemap
  const file = streetsBeside(db)
  return style === undefined && existsSync(file) ? file : undefined
}
