import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { roles } from './headings.ts'
import { ImportRefused } from '../read/refusal.ts'

const columns = z.union([z.string().min(1), z.array(z.string().min(1)).max(50), z.null()])
const texts = z
  .union([z.string(), z.array(z.string())])
  .transform((given) => (Array.isArray(given) ? given : [given]))

/**
 * A map file: the meaning of a file's columns, where the guess is wrong. Every member may be left out; missing ones are
 * guessed. Unknown members are an error, so that a misspelt one is not silently ignored.
 */
export const MapFile = z.strictObject({
  /** The name of the file for this map; for people. */
  title: z.string().optional(),
  /** Headings that together distinguish this file from others, in one or more forms that the publisher has used. */
  recognise: z.array(z.array(z.string().min(1)).min(2)).optional(),
  /** The source that the rows come from, where the caller does not give it. */
  source: z
    .strictObject({
      name: z.string().min(1).optional(),
      url: z.string().optional(),
      license: z.string().optional(),
      attribution: z.string().optional(),
    })
    .optional(),
  /** How the text is laid out. */
  delimiter: z.string().length(1).optional(),
  header: z.boolean().optional(),
  encoding: z.string().optional(),
  /** Names for the columns of a file without headings, in order. */
  columns: z.array(z.string()).optional(),
  /** The coordinate system, such as `EPSG:26910`. */
  crs: z.string().optional(),
  /** Whether latitude and longitude are swapped. */
  swap: z.boolean().optional(),
  /**
   * The columns of each field. A list is tried in order. A text with braces is a template, which counts when all of its
   * columns are filled: `"{brunnenart_txt} {nummer}"`. `null` for no column.
   */
  fields: z.partialRecord(z.enum(roles), columns).optional(),
  /** Which columns hold the custom fields that the registry declares, by the names of the fields. */
  properties: z
    .record(z.string(), z.union([z.string().min(1), z.array(z.string().min(1)).max(50)]))
    .optional(),
  /** Amenities by a column's value: `{ "PET_FRIENDLY": { "Y": ["dog-bowl"] } }`. */
  amenities: z.record(z.string(), z.record(z.string(), texts)).optional(),
  /** Replacements for a column's values, before they are interpreted: `{ "TYPE": { "Fountian": "Fountain" } }`. */
  values: z.record(z.string(), z.record(z.string(), z.string())).optional(),
  /** Rows that are not drinking fountains: a column's values, or `true` for any value at all. */
  leaveOut: z.record(z.string(), z.union([z.array(z.string()), z.literal(true)])).optional(),
  /** The only rows to read: a column's values, `true` for any value, `false` for none. */
  only: z.record(z.string(), z.union([z.array(z.string()), z.boolean()])).optional(),
  /** The place for the names of nameless fountains that have no address of their own. */
  place: z.string().optional(),
  /** The name of a nameless fountain, when its kind is not known. */
  kind: z.string().optional(),
})
export type MapFile = z.infer<typeof MapFile>

/** Reads a map file. @throws ImportRefused MAP naming the member */
export async function readMapFile(path: string): Promise<MapFile> {
  const refused = (what: string, cause: unknown) =>
    new ImportRefused({ code: 'MAP', file: path }, `The map file "${path}" ${what}.`, { cause })
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw refused('cannot be read', error)
  })
  let value: unknown
  try {
    value = JSON.parse(text.replace(/^\uFEFF/u, ''))
  } catch (error) {
    throw refused('is not JSON', error)
  }
  return parseMap(value)
}

/** Checks a map. @throws ImportRefused MAP naming the member */
export function parseMap(value: unknown): MapFile {
  const parsed = MapFile.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const member = issue === undefined || issue.path.length === 0 ? undefined : issue.path.join('.')
  throw new ImportRefused(
    { code: 'MAP', member, issues: parsed.error.issues },
    `${member === undefined ? '' : `${member}: `}${issue?.message ?? 'not a map'}.`,
  )
}
