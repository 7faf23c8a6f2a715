import { waypointColumns, type SourceTerms } from '@openfountain/core/internal'
import { waypointFields } from '../fields.ts'
import type { WaypointRecord } from '../snapshot.ts'
import { csvTable, type Table } from './table.ts'

export interface ListedWaypoint {
  readonly record: WaypointRecord
  readonly terms: SourceTerms
}

export const waypointTable = {
  name: 'waypoints',
  title: 'Waypoints',
  subject: 'waypoints',
  holds: 'Every column; lists joined by `;`, tags as JSON text.',
  isDaily: true,
  *rows(edition) {
    for (const record of edition.waypoints()) yield { record, terms: edition.terms(record) }
  },
  columns: waypointColumns.flatMap(([column, valueOf]) => {
    const field = waypointFields.find(({ name }) => name === column)
    return field ? [{ ...field, value: ({ record, terms }: ListedWaypoint) => valueOf(record, terms) }] : []
  }),
} as const satisfies Table<ListedWaypoint>

export const csv = { ...csvTable<ListedWaypoint>(waypointTable), name: 'csv', title: 'CSV for spreadsheets' }
