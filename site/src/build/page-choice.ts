/** A page as Astro makes it: what is in its address, and what it is made from. */
export interface PagePath {
  readonly params: Readonly<Record<string, string | undefined>>
  readonly props: object
}

/** Where a page is, and what it shows that is not in its props. */
export interface PageKind<Path extends PagePath> {
  /** The page's folder below the site's root, such as `waypoint/17`. */
  folder(path: Path): string
  /** What else is on the page, of everything that is not on all pages; default nothing. */
  more?(path: Path): unknown
}

/** Decides which pages are made. */
export interface PageChoice {
  /** Those of the pages that have to be made. A page is the same when its props and `more` are, in the same site. */
  toMake<Path extends PagePath>(paths: readonly Path[], kind: PageKind<Path>): Path[]
}
