/** Folders for what makes the next build quicker. Without them all is made anew, and comes out the same. */
export interface KeptFolders {
  /** What the earlier build left; absent where there is none. */
  readonly from?: string
  /** The empty folder for what this one leaves. */
  readonly to: string
}
