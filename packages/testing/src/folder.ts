import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gunzipSync, zstdDecompressSync } from 'node:zlib'
import type { Compressors } from 'hyparquet'

/** An empty folder inside the run's, which is removed at the end of the run. */
export const newFolder = (): string => mkdtempSync(path.join(tmpdir(), 'openfountain-'))

export function textIn(folder: string, file: string): string {
  const bytes = readFileSync(path.join(folder, file))
  return (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString()
}

export const jsonIn = (folder: string, file: string) => JSON.parse(textIn(folder, file))

/** The values of a file with one JSON value a line. */
export const linesIn = (folder: string, file: string) =>
  textIn(folder, file)
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))

/** Decompressors for the pages of a Parquet file. */
export const compressors: Compressors = { ZSTD: (input) => zstdDecompressSync(input) }
