export interface ListPage<Item> {
  /** From 1. */
  readonly page: number
  readonly pages: number
  readonly items: readonly Item[]
}

/** Splits a list into pages of at most `size`; an empty list is one empty page. */
export function paginate<Item>(items: readonly Item[], size: number): ListPage<Item>[] {
  const pages = Math.max(1, Math.ceil(items.length / size))
  return Array.from({ length: pages }, (_, index) => ({
    page: index + 1,
    pages,
    items: items.slice(index * size, (index + 1) * size),
  }))
}

/** The part of an address with the page number of a list; the first page has none. */
export function pageParam(page: number): string | undefined {
  return page === 1 ? undefined : String(page)
}
