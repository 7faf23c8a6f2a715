import type { Fountain } from '../../map/data/cell.ts'

/** The fountain of an action. */
export interface Subject {
  readonly id: number
  readonly name: string
  /** The fountain as the map has it, where there is a map. */
  readonly fountain?: Fountain
}
