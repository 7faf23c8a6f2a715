/** Folders of the build cache. Without them all files are made anew, with the same result. */
export interface CacheFolders {
  /** The cache of the earlier build; absent where there is none. */
  readonly from?: string
  /** The empty folder for the cache of this build. */
  readonly to: string
}
