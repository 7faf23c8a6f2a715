import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'
import { chain } from 'stream-chain'
import pick from 'stream-json/filters/pick.js'
import streamArray from 'stream-json/streamers/stream-array.js'
import type { z } from 'zod'
import { ExportFolderError, explain } from './problem.ts'

/**
 * The objects of a gzipped file with one JSON object a line, in the file's order, one at a time.
 *
 * @throws {ExportFolderError} naming file, line and field where the content does not match the schema.
 */
export async function* readLines<Row>(file: string, schema: z.ZodType<Row>): AsyncGenerator<Row> {
  const source = createReadStream(file)
  const unzipped = createGunzip()
  source.on('error', (error) => unzipped.destroy(error))
  let number = 0
  try {
    for await (const line of linesOf(source.pipe(unzipped).setEncoding('utf8'))) {
      number += 1
      if (line.trim() !== '') yield parseLine(line, schema, file, number)
    }
  } catch (error) {
    if (error instanceof ExportFolderError) throw error
    throw new ExportFolderError({
      code: 'UNREADABLE_FILE',
      file,
      line: number,
      reason: explain(error),
    })
  } finally {
    source.destroy()
  }
}

/**
 * Lines of a text that comes in pieces. Only a line feed ends one: `node:readline` also splits at U+2028 and U+2029,
 * which JSON allows inside a string.
 */
async function* linesOf(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = ''
  for await (const piece of pieces) {
    const lines = (rest + piece).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}

function parseLine<Row>(line: string, schema: z.ZodType<Row>, file: string, number: number): Row {
  let json: unknown
  try {
    json = JSON.parse(line)
  } catch (error) {
    throw new ExportFolderError({ code: 'NOT_JSON', file, line: number, reason: explain(error) })
  }
  const row = schema.safeParse(json)
  if (!row.success) {
    throw new ExportFolderError({ code: 'INVALID_RECORD', file, line: number, reason: explain(row.error) })
  }
  return row.data
}

/**
 * The members of the array `member` of a JSON file's object, in the file's order, one at a time.
 *
 * @throws {ExportFolderError} naming file, position and field where the content does not match the schema.
 */
export async function* readMembers<Row>(
  file: string,
  member: string,
  schema: z.ZodType<Row>,
): AsyncGenerator<Row> {
  const source = createReadStream(file)
  const rows = chain([source, pick.withParser({ filter: member }), streamArray()])
  try {
    for await (const item of rows) {
      const { key, value } = item as { key: number; value: unknown }
      const row = schema.safeParse(value)
      if (!row.success) {
        throw new ExportFolderError({
          code: 'INVALID_RECORD',
          file,
          member: `${member}[${key}]`,
          reason: explain(row.error),
        })
      }
      yield row.data
    }
  } catch (error) {
    if (error instanceof ExportFolderError) throw error
    throw new ExportFolderError({ code: 'UNREADABLE_FILE', file, reason: explain(error) })
  } finally {
    source.destroy()
  }
}
