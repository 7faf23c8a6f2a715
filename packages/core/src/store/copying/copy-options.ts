/** What copying does, in this order. */
export type CopyStep = 'rows' | 'indexes' | 'verification'

export interface CopyOptions {
  readonly onProgress?: ((step: CopyStep, done: number, total: number) => void) | undefined
  /** Interrupts it between two pages. What is there stays, and the next copy continues. */
  readonly signal?: AbortSignal | undefined
  /** How much one transaction adds, in bytes at least. Default 4,000,000. */
  readonly pageBytes?: number | undefined
}

export interface CopyResult {
  /** The number of rows by table. */
  readonly rows: Readonly<Record<string, number>>
  /** The number of rows that an interrupted copy had brought before. */
  readonly continued: number
  /** The names of tables of the program that embeds the registry, which are not copied. */
  readonly left: readonly string[]
}
