import { createReadStream } from 'node:fs'
import { chain } from 'stream-chain'
import pick from 'stream-json/filters/pick.js'
import streamArray from 'stream-json/streamers/stream-array.js'
import type { z } from 'zod'
import { readBlocks, type Block } from './blocks.ts'
import { ExportFolderError, explain, type ExportProblem } from './problem.ts'

/** A record that does not match its schema, and its id where it has one. */
export type InvalidRecord = ExportProblem<'INVALID_RECORD'> & { readonly id?: number | string }

/**
 * Handles records that do not match their schema: without a listener the first one is thrown. With one they are
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

  /** Counts records as valid without validating them. */
  known(records: number): void {
    this.#valid += records
  }

  /** @throws {ExportFolderError} when there were records, and none was valid */
  end(): void {
    if (this.#first !== undefined && this.#valid === 0) throw new ExportFolderError(this.#first)
  }
}

/** A gzipped file with one JSON object a line, block by block. */
export class LinesFile<Row> {
  readonly #file: string
  readonly #schema: z.ZodType<Row>
  readonly #skipping: Skipping
  #line = 0

  /** @param onInvalid called with records that are skipped */
  constructor(file: string, schema: z.ZodType<Row>, onInvalid?: (record: InvalidRecord) => void) {
    this.#file = file
    this.#schema = schema
    this.#skipping = new Skipping(onInvalid)
  }

  /**
   * The blocks of the file, in its order.
   *
   * @throws {ExportFolderError} where it cannot be read, or none of its records matches the schema
   */
  async *blocks(): AsyncGenerator<Block> {
    try {
      yield* readBlocks(this.#file)
      this.#skipping.end()
    } catch (error) {
      if (error instanceof ExportFolderError) throw error
      const [file, line] = [this.#file, this.#line]
      throw new ExportFolderError({ code: 'UNREADABLE_FILE', file, line, reason: explain(error) })
    }
  }

  /**
   * The records of a block with their lines, in its order. Only a line feed ends a line: `node:readline` also splits at
   * U+2028 and U+2029, which JSON allows inside a string.
   *
   * @param isWanted whether to read a line
   * @throws {ExportFolderError} naming file, line and field where the content does not match the schema.
   */
  *records(
    { bytes, firstLine }: Block,
    isWanted: (line: string) => boolean = () => true,
  ): Generator<{ readonly record: Row; readonly line: string }> {
    for (const [place, line] of bytes.toString('utf8').split('\n').entries()) {
      if (line.trim() === '' || !isWanted(line)) continue
      this.#line = firstLine + place
      const at = { file: this.#file, line: this.#line }
      const found = this.#skipping.checked(parseLine(line, at), this.#schema, at)
      for (const record of found) yield { record, line }
    }
  }

  /** The records of a block whose lines are known to be valid, unparsed by the schema. */
  known({ bytes }: Block): Row[] {
    // A line feed in a string would be escaped.
    const rows = JSON.parse(`[${bytes.toString('utf8').trimEnd().replaceAll('\n', ',')}]`) as Row[]
    this.passOver(rows.length)
    return rows
  }

  /** Counts skipped records as valid. */
  passOver(records: number): void {
    this.#skipping.known(records)
  }
}

/**
 * The objects of a gzipped file with one JSON object a line, in the file's order, one at a time.
 *
 * @param onInvalid called with records that are skipped
 * @param isWanted whether to read a line
 * @throws {ExportFolderError} naming file, line and field where the content does not match the schema.
 */
export async function* readLines<Row>(
  file: string,
  schema: z.ZodType<Row>,
  onInvalid?: (record: InvalidRecord) => void,
  isWanted?: (line: string) => boolean,
): AsyncGenerator<Row> {
  const lines = new LinesFile(file, schema, onInvalid)
  for await (const block of lines.blocks())
    for (const { record } of lines.records(block, isWanted)) yield record
}

function parseLine(line: string, at: { readonly file: string; readonly line: number }): unknown {
  try {
    return JSON.parse(line)
  } catch (error) {
    throw new ExportFolderError({ code: 'NOT_JSON', ...at, reason: explain(error) })
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
