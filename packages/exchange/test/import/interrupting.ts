import type { Registry } from '@openfountain/core'
import { importFile, type ImportFileOptions, type ImportProgress } from '../../src/import/index.ts'
import { source } from './fixture.ts'

/** A table with so many rows. */
export const many = (count: number, description?: string): string => {
  const ends = description === undefined ? ['', ''] : [',description', `,${description}`]
  const rows = Array.from(
    { length: count },
    (_, index) => `F${index},Brunnen ${index},${(40 + index / 1000).toFixed(4)},8${ends[1]}`,
  )
  return `id,name,lat,lon${ends[0]}\n${rows.join('\n')}\n`
}

/** Options with which an import has many batches. */
export const inBatches: Pick<ImportFileOptions, 'source' | 'batchRows'> = { source, batchRows: 100 }

/** What comes of an import that is stopped after so many rows. */
export async function stoppedAfter(registry: Registry, at: number, path: string): Promise<unknown> {
  const stop = new AbortController()
  const onProgress = ({ phase, rows }: ImportProgress) => {
    if (phase === 'importing' && rows >= at) stop.abort()
  }
  return importFile(registry, { ...inBatches, file: path, signal: stop.signal, onProgress }).catch(
    (error: unknown) => error,
  )
}
