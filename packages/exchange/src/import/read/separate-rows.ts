import { z } from 'zod'
import { isGeometry } from './geometry.ts'
import { isDeep, isRecord } from './nested-fields.ts'
import type { FileToRead } from './reading-child.ts'
import { readingLines, type ReadingLimits } from './reading-process.ts'
import { ImportRefused, quotable } from './refusal.ts'
import { readingLimits, titles, type FileFacts, type RowBatches, type SourceRow } from './source-row.ts'

const row = z.int().min(1).optional()
const count = z.int().min(0)
/** A name, or a definition in well-known text. */
const definition = z.string().transform((crs) => crs.replaceAll(/\p{Cc}/gu, ' ').slice(0, 10_000))
const text = z.string().transform(quotable)

/** All lines except rows. */
const Line = z.union([
  z.object({ end: z.literal(true) }),
  z.object({ crs: definition }),
  z.object({ published: z.iso.date() }),
  z.object({
    note: z.discriminatedUnion('code', [
      z.object({ code: z.literal('TABLE_NOT_READ'), table: text, crs: text }),
      z.object({ code: z.literal('SHEET_READ'), sheet: text, others: z.array(text) }),
      z.object({ code: z.literal('ELEMENTS_NOT_READ'), elements: count }),
      z.object({ code: z.literal('LINES_SKIPPED'), lines: count }),
    ]),
  }),
  z.object({
    refused: z.discriminatedUnion('code', [
      z.object({ code: z.literal('UNKNOWN_FORMAT'), codec: text.optional() }),
      z.object({ code: z.literal('ARCHIVE'), archive: text }),
      z.object({ code: z.literal('BOMB'), bytes: count, unpacked: count }),
      z.object({ code: z.literal('ENTITIES') }),
      z.object({ code: z.literal('SHEET_UNKNOWN'), sheet: text, sheets: z.array(text) }),
      z.object({ code: z.literal('TOO_MANY_ROWS'), most: count }),
      z.object({ code: z.enum(['TRUNCATED', 'MALFORMED', 'TOO_LARGE', 'TOO_DEEP']), row }),
    ]),
    found: text,
  }),
  z.object({ failure: text }),
])

/**
 * The rows of a file of a binary format, read by a process of its own: its failures, also for lack of memory, do not
 * affect this one. Its output is checked like any other file.
 *
 * @throws ImportRefused
 */
export async function* readSeparately(
  file: FileToRead,
  facts: FileFacts,
  { limits, signal }: { readonly limits?: ReadingLimits; readonly signal?: AbortSignal | undefined } = {},
): RowBatches {
  const title = titles[file.format]
  try {
    for await (const line of readingLines(file, title, limits, signal)) {
      if (isRecord(line) && Array.isArray(line['rows'])) {
        yield line['rows'].map(rowOf)
        continue
      }
      const other = Line.parse(line)
      if ('end' in other) return
      if ('crs' in other) facts.crs ??= other.crs
      else if ('published' in other) facts.published ??= other.published
      else if ('note' in other) facts.notes.push(other.note)
      else if ('refused' in other) throw new ImportRefused(other.refused, other.found)
      else throw damaged(title, new Error(other.failure))
    }
  } catch (error) {
    throw error instanceof z.ZodError || error instanceof SyntaxError ? damaged(title, error) : error
  }
}

function damaged(title: string, cause: Error): ImportRefused {
  return new ImportRefused({ code: 'MALFORMED' }, `The ${title} is damaged.`, { cause })
}

function rowOf(sent: unknown): SourceRow {
  const { row: number, fields, geometry, id } = isRecord(sent) ? sent : {}
  if (!Number.isSafeInteger(number) || !isRecord(fields)) throw new SyntaxError('Not a row')
  const at = Number(number)
  const columns = Object.keys(fields).length
  if (columns > readingLimits.columns)
    throw new ImportRefused({ code: 'TOO_LARGE', row: at, columns }, `Record ${at} has ${columns} columns.`)
  if (isDeep(fields, readingLimits.depth) || isDeep(geometry, readingLimits.depth))
    throw new ImportRefused({ code: 'TOO_DEEP', row: at })
  return {
    row: at,
    fields,
    ...(geometry === undefined ? {} : { geometry: isGeometry(geometry) ? geometry : null }),
    ...(typeof id === 'string' && { id }),
    original: () => JSON.stringify(fields),
  }
}
