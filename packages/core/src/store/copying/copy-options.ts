/** The options and the result of a copy, without types of Node, which whoever embeds the core may not have. */

/** Steps of copying, in this order. */
export type CopyStep = 'rows' | 'indexes' | 'verification'

export interface CopyOptions {
  readonly onProgress?: ((step: CopyStep, done: number, total: number) => void) | undefined
  /** Interrupts it. Nothing is left of an interrupted copy: the next one begins anew. */
  readonly signal?: AbortSignal | undefined
}

export interface CopyResult {
  readonly rows: Readonly<Record<string, number>>
  /** The names of tables of the program that embeds the registry, which are not copied. */
  readonly left: readonly string[]
}
