import type { Fountain } from '../../map/data/cell.ts'

/** The fountain that something is done about. */
export interface Subject {
  readonly id: number
  readonly name: string
  /** The fountain as the map has it, where there is a map. */
  readonly fountain?: Fountain
}
