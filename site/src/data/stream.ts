import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { PassThrough } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { z } from 'zod'
import { ExportFolderError, explain, type ExportProblem } from './problem.ts'

export type InvalidRecord = ExportProblem<'INVALID_RECORD'> & { readonly id?: number | string }

export type OnInvalid = (record: InvalidRecord) => void

interface Found {
  readonly value: unknown
  readonly line?: number
  readonly member?: string
}

/**
 * The objects of a file, which may be gzipped, with one JSON object a line, in the file's order, one at a time.
 *
 * @param onInvalid called with records that are left out; without it the first one is thrown, as is one of a file in which
 *   none matches, which is a file of another kind
 * @throws {ExportFolderError} naming file, line and field where the content does not match the schema.
 */
export const readLines = <Row>(
  file: string,
  schema: z.ZodType<Row>,
  onInvalid?: OnInvalid,
): AsyncGenerator<Row> => matching(linesOf(file), file, schema, onInvalid)

/** The members of an array of a JSON file's object, in order, with `onInvalid` as above. @throws {ExportFolderError} */
export async function readMembers<Row>(
  file: string,
  member: string,
  schema: z.ZodType<Row>,
  onInvalid?: OnInvalid,
): Promise<Row[]> {
  const { [member]: values = [] } = await readObject(file, z.object({ [member]: z.array(z.unknown()) }))
  const found = values.map((value, index) => ({ value, member: `${member}[${index}]` }))
  const rows: Row[] = []
  for await (const row of matching(found, file, schema, onInvalid)) rows.push(row)
  return rows
}

/** The object of a JSON file. @throws {ExportFolderError} naming file and field where it does not match the schema */
export async function readObject<Shape>(file: string, schema: z.ZodType<Shape>): Promise<Shape> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new ExportFolderError({ code: 'UNREADABLE_FILE', file, reason: explain(error) })
  })
  const parsed = schema.safeParse(parsedJson(text, { file }))
  if (parsed.success) return parsed.data
  throw new ExportFolderError({ code: 'INVALID_RECORD', file, reason: explain(parsed.error) })
}

/** @throws {ExportFolderError} when it is not JSON */
export function parsedJson(text: string, at: { readonly file: string; readonly line?: number }): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new ExportFolderError({ code: 'NOT_JSON', ...at, reason: explain(error) })
  }
}

async function* matching<Row>(
  values: Iterable<Found> | AsyncIterable<Found>,
  file: string,
  schema: z.ZodType<Row>,
  onInvalid?: OnInvalid,
): AsyncGenerator<Row> {
  let first: InvalidRecord | undefined
  let isAnyValid = false
  for await (const { value, ...place } of values) {
    const row = schema.safeParse(value)
    if (row.success) {
      isAnyValid = true
      yield row.data
      continue
    }
    const { id } = z.object({ id: z.union([z.number(), z.string()]) }).safeParse(value).data ?? {}
    const problem = { code: 'INVALID_RECORD', file, ...place, reason: explain(row.error) } as const
    if (onInvalid === undefined) throw new ExportFolderError(problem)
    const invalid = { ...problem, ...(id !== undefined && { id }) }
    first ??= invalid
    onInvalid(invalid)
  }
  if (first !== undefined && !isAnyValid) throw new ExportFolderError(first)
}

/** Only a line feed ends a line: `node:readline` also splits at U+2028 and U+2029, which JSON allows inside a string. */
async function* linesOf(file: string): AsyncGenerator<Found> {
  const source = createReadStream(file)
  const unzipped = file.endsWith('.gz') ? createGunzip({ chunkSize: unzippedBytes }) : new PassThrough()
  source.on('error', (error) => unzipped.destroy(error))
  let line = 0
  const found = (text: string): Found[] => {
    line += 1
    return text.trim() === '' ? [] : [{ value: parsedJson(text, { file, line }), line }]
  }
  try {
    let rest = ''
    for await (const piece of source.pipe(unzipped).setEncoding('utf8') as AsyncIterable<string>) {
      const lines = `${rest}${piece}`.split('\n')
      rest = lines.pop() ?? ''
      for (const text of lines) yield* found(text)
    }
    yield* found(rest)
  } catch (error) {
    if (error instanceof ExportFolderError) throw error
    throw new ExportFolderError({ code: 'UNREADABLE_FILE', file, line, reason: explain(error) })
  } finally {
    source.destroy()
  }
}

/** Bytes that are unzipped at once: each piece costs a thread switch. */
const unzippedBytes = 1 << 20
