export interface Thinned<Item> {
  add(item: Item): void
  result(): readonly Item[]
}

/** Thins items to every n-th, at most `most`; n doubles as needed. */
export function thinned<Item>(most: number): Thinned<Item> {
  let items: Item[] = []
  let step = 1
  let seen = 0
  return {
    add(item) {
      if (seen % step === 0) items.push(item)
      seen += 1
      if (items.length <= most) return
      items = items.filter((_, index) => index % 2 === 0)
      step *= 2
    },
    result: () => items,
  }
}
