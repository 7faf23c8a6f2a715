/** A page as Astro makes it: the parameters of its address, and its props. */
export interface PagePath {
  readonly params: Readonly<Record<string, string | undefined>>
  readonly props: object
}

/** A kind of pages: their addresses, and their inputs beside the props. */
export interface PageKind<Path extends PagePath> {
  /** The page's folder below the site's root, such as `waypoint/17`. */
  folder(path: Path): string
  /** Further inputs of the page that are neither in its props nor on all pages; default none. */
  more?(path: Path): unknown
}

/** Decides which pages are made. */
export interface PageChoice {
  /** The pages that must be made. A page is unchanged when its props and `more` are the same, in the same site. */
  toMake<Path extends PagePath>(paths: readonly Path[], kind: PageKind<Path>): Path[]
}
