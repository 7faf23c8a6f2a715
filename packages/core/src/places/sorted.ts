/** Inserts an item into a sorted array, behind what it is not before. */
export function insertSorted<Item>(
  items: Item[],
  item: Item,
  isBefore: (one: Item, other: Item) => boolean,
): void {
  let [low, high] = [0, items.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const other = items[middle]
    if (other !== undefined && isBefore(item, other)) high = middle
    else low = middle + 1
  }
  items.splice(low, 0, item)
}
