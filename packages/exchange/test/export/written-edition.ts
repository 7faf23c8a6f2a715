import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, zstdDecompressSync } from 'node:zlib'
import { strFromU8, unzipSync } from 'fflate'
import type { Compressors } from 'hyparquet'
import { afterAll } from 'vitest'
import { editionOf, type EditionOptions } from '../../src/export/edition.ts'
import type { Format } from '../../src/export/format.ts'
import { formats } from '../../src/export/formats.ts'
import { publishEdition } from '../../src/export/folder/publish.ts'
import { publisher, snapshotOf } from './sample-snapshot.ts'

/** A new folder that is removed when the tests of the file are done. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'openfountain-export-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Writes an edition of the sample, or of what is given, into a new folder. */
export async function writtenEdition(
  given: Partial<EditionOptions> = {},
  chosen: readonly Format[] = formats.filter(({ subject }) => subject !== 'difference'),
): Promise<string> {
  const folder = temporaryFolder()
  await publishEdition(folder, editionOf({ snapshot: snapshotOf({}), publisher, ...given }), chosen)
  return folder
}

/** What reads the pages of a Parquet file. */
export const compressors: Compressors = {
  ZSTD: (input) => zstdDecompressSync(input),
}

export const textIn = (folder: string, file: string): string =>
  (file.endsWith('.gz')
    ? gunzipSync(readFileSync(join(folder, file)))
    : readFileSync(join(folder, file))
  ).toString()

/** The document of a KMZ. */
export const documentIn = (folder: string, file: string): string =>
  strFromU8(unzipSync(readFileSync(join(folder, file)))['doc.kml'] ?? new Uint8Array())

export const jsonIn = (folder: string, file: string) => JSON.parse(textIn(folder, file))
