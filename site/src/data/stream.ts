import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'
import { chain } from 'stream-chain'
import pick from 'stream-json/filters/pick.js'
import streamArray from 'stream-json/streamers/stream-array.js'
import type { z } from 'zod'
import { ExportFolderError, explain, type ExportProblem } from './problem.ts'

/** A record that does not match its schema, and its id where it has one. */
export type InvalidRecord = ExportProblem<'INVALID_RECORD'> & { readonly id?: number | string }

/**
 * What becomes of records that do not match their schema: without a listener the first one is thrown. With one they are
 * skipped, unless no record of the file matches, which is a file of another kind.
 */
class Skipping {
  readonly #onInvalid: ((record: InvalidRecord) => void) | undefined
  #first: InvalidRecord | undefined
  #valid = 0

  constructor(onInvalid: ((record: InvalidRecord) => void) | undefined) {
    this.#onInvalid = onInvalid
  }

  /** @returns the record in a list, or an empty list */
  checked<Row>(
    value: unknown,
    schema: z.ZodType<Row>,
    place: { file: string; line?: number; member?: string },
  ): Row[] {
    const row = schema.safeParse(value)
    if (row.success) {
      this.#valid += 1
      return [row.data]
    }
    const id = typeof value === 'object' && value !== null && 'id' in value ? value.id : undefined
    const invalid: InvalidRecord = {
      code: 'INVALID_RECORD',
      ...place,
      reason: explain(row.error),
      ...((typeof id === 'number' || typeof id === 'string') && { id }),
    }
    if (this.#onInvalid === undefined) throw new ExportFolderError(invalid)
    this.#first ??= invalid
    this.#onInvalid(invalid)
    return []
  }

  /** @throws {ExportFolderError} when there were records, and none was valid */
  end(): void {
    if (this.#first !== undefined && this.#valid === 0) throw new ExportFolderError(this.#first)
  }
}

/** Bytes that are read and unzipped at a time: each time costs a change of threads. */
const pieceBytes = 1 << 20

/**
 * The objects of a gzipped file with one JSON object a line, in the file's order, one at a time.
 *
 * @param onInvalid called with records that are skipped
 * @param isWanted whether a line is read at all
 * @throws {ExportFolderError} naming file, line and field where the content does not match the schema.
 */
export async function* readLines<Row>(
  file: string,
  schema: z.ZodType<Row>,
  onInvalid?: (record: InvalidRecord) => void,
  isWanted: (line: string) => boolean = () => true,
): AsyncGenerator<Row> {
  const skipping = new Skipping(onInvalid)
  const source = createReadStream(file, { highWaterMark: pieceBytes })
  const unzipped = createGunzip({ chunkSize: pieceBytes })
  source.on('error', (error) => unzipped.destroy(error))
  let number = 0
  try {
    for await (const line of linesOf(source.pipe(unzipped).setEncoding('utf8'))) {
      number += 1
      if (line.trim() === '' || !isWanted(line)) continue
      yield* skipping.checked(parseLine(line, file, number), schema, { file, line: number })
    }
    skipping.end()
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

function parseLine(line: string, file: string, number: number): unknown {
  try {
    return JSON.parse(line)
  } catch (error) {
    throw new ExportFolderError({ code: 'NOT_JSON', file, line: number, reason: explain(error) })
  }
}

/**
 * The members of the array `member` of a JSON file's object, in the file's order, one at a time.
 *
 * @param onInvalid called with records that are skipped
 * @throws {ExportFolderError} naming file, position and field where the content does not match the schema.
 */
export async function* readMembers<Row>(
  file: string,
  member: string,
  schema: z.ZodType<Row>,
  onInvalid?: (record: InvalidRecord) => void,
): AsyncGenerator<Row> {
  const skipping = new Skipping(onInvalid)
  const source = createReadStream(file)
  const rows = chain([source, pick.withParser({ filter: member }), streamArray()])
  try {
    for await (const item of rows) {
      const { key, value } = item as { key: number; value: unknown }
      yield* skipping.checked(value, schema, { file, member: `${member}[${key}]` })
    }
    skipping.end()
  } catch (error) {
    if (error instanceof ExportFolderError) throw error
    throw new ExportFolderError({ code: 'UNREADABLE_FILE', file, reason: explain(error) })
  } finally {
    source.destroy()
  }
}
