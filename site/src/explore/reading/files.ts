import { csvField, csvValue, featureCollection } from '@openfountain/core/published'
import type { FormName } from '../selection.ts'
import type { Row } from './parquet.ts'

/** A download format of a selection, like the registry's own exports. */
export interface FileForm {
  readonly mediaType: string
  before(columns: readonly string[], terms: Terms): string
  record(row: Row, columns: readonly string[]): string
  readonly between: string
  readonly after: string
}

const csv: FileForm = {
  mediaType: 'text/csv;charset=utf-8',
  before: (columns) => `${columns.map(csvField).join(',')}\r\n`,
  record: (row, columns) => `${columns.map((name) => csvValue(row[name])).join(',')}\r\n`,
  between: '',
  after: '',
}

const geojson: FileForm = {
  mediaType: 'application/geo+json',
  before: (_columns, terms) => featureCollection.before(terms),
  record: ({ latitude, longitude, ...properties }) =>
    JSON.stringify({
      type: 'Feature',
      id: properties['id'],
      geometry: { type: 'Point', coordinates: [longitude, latitude] },
      properties,
    }),
  between: featureCollection.between,
  after: featureCollection.after,
}

export const fileForms: Readonly<Record<FormName, FileForm>> = { csv, geojson }

/** Columns of the licence and the attribution of a row. */
export const termColumns = ['license', 'attribution'] as const

/** The licences of rows, each with its attributions. */
export interface Terms {
  readonly license: string
  readonly attributions: readonly {
    readonly license: string
    readonly parties: readonly { readonly name: string }[]
  }[]
}

/** The combined terms of rows, in order of first appearance. */
export function termsOf(rows: Iterable<readonly string[]>): Terms {
  const names = new Map<string, Set<string>>()
  for (const [license = '', attribution = ''] of rows) {
    const own = names.get(license) ?? new Set()
    names.set(license, own.add(attribution))
  }
  return {
    license: [...names.keys()].join(' AND '),
    attributions: Array.from(names, ([license, parties]) => ({
      license,
      parties: Array.from(parties, (name) => ({ name })),
    })),
  }
}
