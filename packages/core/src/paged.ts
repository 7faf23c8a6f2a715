/** Pages of a list, each read after the last item of the one before, until one has less than `size` items. */
export async function* pagesOf<Item>(
  size: number,
  read: (last: Item | undefined) => readonly Item[] | Promise<readonly Item[]>,
): AsyncGenerator<readonly Item[]> {
  let page: readonly Item[] = []
  do {
    page = await read(page.at(-1))
    if (page.length > 0) yield page
  } while (page.length === size)
}
