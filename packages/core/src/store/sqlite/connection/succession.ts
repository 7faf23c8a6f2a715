/** How a restored database continues the one that it replaces. */
export interface Succession {
  /**
   * Whether the log has another origin now, because it is not certain to have everything that was there: entries were
   * lost, or nothing was there that could be read.
   */
  readonly originRenewed: boolean
  /** How many entries of the replaced database are lost; absent when there was none that could be read. */
  readonly lost?: number
}
