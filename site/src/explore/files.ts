import { csvField, csvValue, featureCollection } from '@openfountain/core/published'
import type { Row } from './data.ts'

/** Formats of downloads, as the page names its buttons, with their media types. */
const mediaTypes = { csv: 'text/csv;charset=utf-8', geojson: 'application/geo+json' } as const
export type FormName = keyof typeof mediaTypes

export const fileOf = (form: FormName, rows: readonly Row[]): Blob =>
  new Blob(form === 'csv' ? csv(rows) : geojson(rows), { type: mediaTypes[form] })

function csv(rows: readonly Row[]): string[] {
  const columns = Object.keys(rows[0] ?? {})
  const head = `${columns.map(csvField).join(',')}\r\n`
  return [head, ...rows.map((row) => `${columns.map((name) => csvValue(row[name])).join(',')}\r\n`)]
}

function geojson(rows: readonly Row[]): string[] {
  const { before, between, after } = featureCollection
  const features = rows.map((row, index) => {
    const { latitude, longitude, ...columns } = row
    const properties = Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== null))
    const geometry = { type: 'Point', coordinates: [longitude, latitude] }
    const text = JSON.stringify({ type: 'Feature', id: columns['id'], geometry, properties })
    return index === 0 ? text : `${between}${text}`
  })
  return [before(termsOf(rows)), ...features, after]
}

export interface Terms {
  readonly license: string
  readonly attributions: readonly {
    readonly license: string
    readonly parties: readonly { readonly name: string }[]
  }[]
}

export function termsOf(rows: readonly Row[]): Terms {
  const names = new Map<string, Set<string>>()
  for (const { license, attribution } of rows) {
    const own = names.get(String(license)) ?? new Set()
    names.set(String(license), own.add(String(attribution)))
  }
  return {
    license: [...names.keys()].join(' AND '),
    attributions: Array.from(names, ([license, parties]) => ({
      license,
      parties: Array.from(parties, (name) => ({ name })),
    })),
  }
}
