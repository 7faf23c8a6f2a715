import { licenceOf, type Licence } from '../licences/licences.ts'
import type { ReadWaypoint } from './understand/waypoint-reading.ts'

/** The facts of each code of a matter for a person's attention. Rows are those that are imported or known. */
export interface AttentionFacts {
  /** Rows without a town, neither in the file nor given (`place`). */
  NO_TOWN: { readonly rows: number; readonly first: number }
  /** Names of several rows: the number of all such rows, and the ten most frequent names. */
  NAMES_REPEATED: {
    readonly rows: number
    readonly names: readonly { readonly name: string; readonly rows: number }[]
  }
  /** Rows without a day: not of publication, nor of a check or a change. */
  NO_DAY: { readonly rows: number; readonly first: number }
  /** Rows of private fountains, which are never offered as nearest. */
  PRIVATE: { readonly rows: number; readonly first: number }
  /** The conditions of the licence for passing the data on, and the credit. */
  LICENSE_ASKS: {
    readonly license: string
    readonly asks: Licence['asks']
    readonly attribution: string
  }
}

export type AttentionCode = keyof AttentionFacts

/** A matter to look at: a code together with its facts. */
export type Attention<Code extends AttentionCode = AttentionCode> = {
  [One in Code]: { readonly code: One } & AttentionFacts[One]
}[Code]

/** Names that are listed, and those that are counted; it takes memory. */
const [listedNames, countedNames] = [10, 100_000]

type Rows = { rows: number; first: number }

/** Matters for a person's attention, collected while rows are read. */
export class Attentive {
  readonly #rows = new Map<'NO_TOWN' | 'NO_DAY' | 'PRIVATE', Rows>()
  readonly #names = new Map<string, number>()

  look(row: number, { name, region, access, checked, updated }: ReadWaypoint): void {
    if (region === undefined) this.#count('NO_TOWN', row)
    if (checked === undefined && updated === undefined) this.#count('NO_DAY', row)
    if (access === 'private') this.#count('PRIVATE', row)
    if (name !== '' && (this.#names.has(name) || this.#names.size < countedNames))
      this.#names.set(name, (this.#names.get(name) ?? 0) + 1)
  }

  /** @param isDated whether the day of publication is known */
  found(isDated: boolean): Attention[] {
    const repeated = [...this.#names].flatMap(([name, rows]) => (rows > 1 ? [{ name, rows }] : []))
    const names = repeated.toSorted((one, other) => other.rows - one.rows || (one.name < other.name ? -1 : 1))
    const rows = names.reduce((all, each) => all + each.rows, 0)
    return [
      ...[...this.#rows].flatMap(([code, counted]) =>
        code === 'NO_DAY' && isDated ? [] : [{ code, ...counted }],
      ),
      ...(rows > 0 ? [{ code: 'NAMES_REPEATED', rows, names: names.slice(0, listedNames) } as const] : []),
    ]
  }

  #count(code: 'NO_TOWN' | 'NO_DAY' | 'PRIVATE', row: number): void {
    const counted = this.#rows.get(code) ?? { rows: 0, first: row }
    counted.rows += 1
    this.#rows.set(code, counted)
  }
}

/** The conditions of a source's licence for passing its data on; none for one without conditions. */
export function licenceAsks(source: {
  readonly name: string
  readonly license: string
  readonly attribution?: string | null | undefined
}): Attention[] {
  const { license, name } = source
  const asks = licenceOf(license)?.asks ?? []
  return asks.length === 0
    ? []
    : [{ code: 'LICENSE_ASKS', license, asks, attribution: source.attribution ?? name }]
}
