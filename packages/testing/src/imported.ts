import { expect } from 'vitest'
import type { ImportRow, Registry } from '@openfountain/core'

export const source = { name: 'City of Lund', license: 'CC0-1.0', url: 'https://example.org/fountains' }

export const row = (ref: string, name: string, rest: Record<string, unknown> = {}): ImportRow => ({
  row: Number.parseInt(ref, 10),
  ref,
  input: { name, latitude: Number.parseInt(ref, 10), longitude: 1, ...rest },
})

/** Imports these rows, and compares the outcomes with those of `decide`. */
export async function imported(
  registry: Registry,
  rows: ImportRow[],
  sha256?: string,
  missing: 'mark' | 'remove' | 'keep' = 'mark',
) {
  const file = sha256 === undefined ? undefined : { name: 'f.geojson', sha256, bytes: 1 }
  const run = await registry.imports.start({ source, file, accept: ['shrink', 'older'] })
  const decided = (await run.decide(rows)).map(({ kind }) => kind)
  const outcomes = await run.apply(rows)
  const end = await run.finish({ counts: { rows: rows.length }, missing })
  expect(outcomes.map(({ kind }) => kind)).toEqual(decided)
  return { outcomes, ...end }
}
